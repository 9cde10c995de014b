"""The mouse wheel changes a control only while it has the keys."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QWidget


class CalmWheel(QObject):
    """Keeps a passing mouse wheel from changing a control; what is around it scrolls.

    Parameters
    ----------
    control : QWidget
        The control, which owns this. It takes the keys by a click or by Tab alone.
    """

    def __init__(self, control: QWidget) -> None:
        super().__init__(control)
        self._control = control
        control.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        control.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Wheel and not self._control.hasFocus():
            event.ignore()
            return True
        return False
