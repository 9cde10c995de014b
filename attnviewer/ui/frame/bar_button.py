"""A button of the bar that does what a menu line does."""

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QToolBar

from attnviewer.ui.widgets.named_button import NamedButton
from attnviewer.ui.widgets.pending_input import take_over_typed


class BarButton(NamedButton):
    """Bears a sign, and its name where there is room for it.

    Parameters
    ----------
    action : QAction
        What it does.
    sign, name : str
        What it shows.
    bar : QToolBar
        Where it stands.
    """

    def __init__(self, action: QAction, sign: str, name: str, bar: QToolBar) -> None:
        super().__init__(bar)
        self._sign = sign
        self._name = name
        self.setObjectName(action.objectName().replace("action", "button"))
        self.setAccessibleName(name)
        keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        self.setToolTip(f"{name} ({keys})")
        self.setEnabled(action.isEnabled())
        self.clicked.connect(take_over_typed)
        self.clicked.connect(action.trigger)
        action.enabledChanged.connect(self.setEnabled)
        self.show_name(named=True)

    def show_name(self, *, named: bool) -> None:
        self.setText(f"{self._sign} {self._name}" if named else self._sign)
