"""A dock whose floating window has a normal window frame."""

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QApplication, QDockWidget, QWidget


class FramedDock(QDockWidget):
    """A dock that floats in a frame of the window manager.

    Qt gives a dock with a title bar of its own no frame: over the main window it
    looks like a part of that.
    """

    def __init__(self, title: str, parent: QWidget) -> None:
        super().__init__(title, parent)
        self.topLevelChanged.connect(self._give_frame)

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
