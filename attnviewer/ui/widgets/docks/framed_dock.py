"""A dock that is filled when first shown, and floats in a normal window frame."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QApplication, QDockWidget, QWidget


class FramedDock(QDockWidget):
    """A dock that floats in a frame of the window manager.

    Qt gives a dock with a title bar of its own no frame: over the main window it
    looks like a part of that.
    """

    def __init__(self, title: str, parent: QWidget) -> None:
        super().__init__(title, parent)
        self._fill: Callable[[], None] | None = None
        self.topLevelChanged.connect(self._give_frame)

    def fill_when_shown(self, fill: Callable[[], None]) -> None:
        """Put the contents in just before they are first shown."""
        self._fill = fill

    def setVisible(self, visible: bool) -> None:
        # Qt calls it for everything that shows a dock, restored layouts included.
        if visible and self._fill is not None:
            fill, self._fill = self._fill, None
            fill()
        super().setVisible(visible)

    @Slot(bool)
    def _give_frame(self, floating: bool) -> None:
        # Changing the window type would end the drag that tears the dock off.
        if floating and not QApplication.mouseButtons():
            self.setWindowFlags(
                Qt.WindowType.Tool
                | Qt.WindowType.CustomizeWindowHint
                | Qt.WindowType.WindowTitleHint
                | Qt.WindowType.WindowCloseButtonHint
            )
            self.show()
