"""The menu of floating-point precisions."""

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QMenu, QWidget

from attnviewer.ui.state.engine import Engine
from attnviewer.ui.text.concepts import CHOICES, PRECISIONS
from attnviewer.ui.views.spec.choice_actions import explain
from attnviewer.ui.widgets.actions import ActionRow, fill_choice


class PrecisionMenu(QMenu):
    """Offers double and single precision, and automatic by number of tokens."""

    def __init__(self, engine: Engine, parent: QWidget) -> None:
        super().__init__(self.tr("P&recision"), parent)
        self.setObjectName("precision")
        self.setToolTipsVisible(True)
        self._engine = engine
        choose = engine.choose_precision
        rows = [
            ActionRow("precision.automatic", self.tr("&Automatic"), choose),
            ActionRow("precision.float64", self.tr("float&64"), choose, data="float64"),
            ActionRow("precision.float32", self.tr("float&32"), choose, data="float32"),
        ]
        self._choices = fill_choice(self, rows)
        explain(self.menuAction(), CHOICES["precision"])
        for action in self._choices.actions():
            explain(action, PRECISIONS[action.data()])
        self.aboutToShow.connect(self._check)

    @Slot()
    def _check(self) -> None:
        for action in self._choices.actions():
            action.setChecked(action.data() == self._engine.precision)
