"""A toolbar whose button for what has no room is named, and hidden where all has."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QToolBar, QToolButton, QWidget


class ToolBar(QToolBar):
    """A toolbar; what has no room in it is behind a button at its end."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._overflow = self.findChild(QToolButton, "qt_toolbar_ext_button")
        if self._overflow is not None:
            name = self.tr("More commands")
            self._overflow.setAccessibleName(name)
            self._overflow.setToolTip(name)

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self._hide_overflow()
        return done

    def _hide_overflow(self) -> None:
        """Hide Qt's button for what has no room where Qt has failed to hide it.

        Where Qt hides it while it is being shown, it stays visible although it counts
        as hidden, and is not hidden again.
        """
        button = self._overflow
        if button is not None and button.isHidden() and button.isVisible():
            button.setAttribute(Qt.WidgetAttribute.WA_WState_Hidden, on=False)
            button.hide()
