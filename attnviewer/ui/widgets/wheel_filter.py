"""An event filter: the mouse wheel changes a control only while it has the focus."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QWidget


class WheelFilter(QObject):
    """Keeps the wheel from changing an unfocused control; its surroundings scroll.

    Parameters
    ----------
    control : QWidget
        The control, which owns this. Only a click or Tab gives it the focus.
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
