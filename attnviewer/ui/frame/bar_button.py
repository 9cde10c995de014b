"""A toolbar button that triggers a menu action."""

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QToolBar

from attnviewer.ui.widgets.named_button import NamedButton
from attnviewer.ui.widgets.pending_input import commit_pending_input


class BarButton(NamedButton):
    """Shows a symbol, and its name where there is room.

    Parameters
    ----------
    action : QAction
        The action to trigger.
    symbol, name : str
        Its text.
    bar : QToolBar
        The parent.
    """

    def __init__(self, action: QAction, symbol: str, name: str, bar: QToolBar) -> None:
        super().__init__(bar)
        self._symbol = symbol
        self._name = name
        self.setObjectName(action.objectName().replace("action", "button"))
        self.setAccessibleName(name)
        keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        self.setToolTip(f"{name} ({keys})")
        self.setEnabled(action.isEnabled())
        self.clicked.connect(commit_pending_input)
        self.clicked.connect(action.trigger)
        action.enabledChanged.connect(self.setEnabled)
        self.show_name(named=True)

    def show_name(self, *, named: bool) -> None:
        self.setText(f"{self._symbol} {self._name}" if named else self._symbol)
