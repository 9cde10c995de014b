"""The cost of a sparse kernel: a kept set, and what is lost with it."""

from functools import partial

from PySide6.QtCore import Slot
from PySide6.QtWidgets import (
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.state.patterns import Costs
from attnviewer.ui.state.patterns.jobs import CostJob
from attnviewer.ui.state.patterns.kept_choice import COUNTS, FEWEST, Count, Way
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.views.patterns.cost_list import CostList
from attnviewer.ui.views.patterns.count_row import CountRow
from attnviewer.ui.views.patterns.texts import cache_sentence, sight_sentence
from attnviewer.ui.widgets.choice_boxes import ChoiceBox
from attnviewer.ui.widgets.forms import plain_form
from attnviewer.ui.widgets.labels import heading, note
from attnviewer.ui.widgets.named import name_control
from attnviewer.ui.widgets.reason import ReasonLabel

_tr = translate_in("Patterns")


class CostBox(QWidget):
    """Asks which cells are kept, and tells the costs of that.

    Parameters
    ----------
    costs : Costs
        Computes it.
    parent : QWidget
        The Qt parent.

    Attributes
    ----------
    counts : dict of str to CountRow
        The numbers of all ways.
    list : CostList
        The costs.
    all_rows, cancel : QPushButton
        Start the computation of all rows, and cancel it.
    """

    def __init__(self, costs: Costs, parent: QWidget) -> None:
        super().__init__(parent)
        self._costs = costs
        self.way = ChoiceBox(self)
        self.way.setObjectName("patterns.way")
        name_control(self.way, self.tr("Kept set"))
        self.way.setToolTip(self.tr("Kept set"))
        for way, (title, tip) in _ways().items():
            self.way.add_told(title, way, tip)
        self.way.activated.connect(self._on_way)
        # Created in the order of the form, which Tab follows.
        self.counts = {
            name: CountRow(f"patterns.{name}", text, FEWEST[name], self)
            for name, text in _counts().items()
        }
        self.bytes = ChoiceBox(self)
        self.bytes.setObjectName("patterns.bytes")
        name_control(self.bytes, self.tr("Bytes per number in the KV cache"))
        self.bytes.setToolTip(self.tr("Bytes per number in the KV cache"))
        self.bytes.addItem(self.tr("2 bytes (float16, bfloat16)"), 2)
        self.bytes.addItem(self.tr("4 bytes (float32)"), 4)
        self.bytes.activated.connect(self._on_bytes)
        self.list = CostList(self)
        self._sight, self._cache = note("patterns.sight"), note("patterns.cache")
        self._lacking = note("patterns.lacking")
        self._lacking.setText(
            self.tr("The kept keys and offsets depend on patterns not yet found.")
        )
        self._trouble = ReasonLabel("patterns.costs.trouble", self)
        self.all_rows = QPushButton(self.tr("Compute all rows"), self)
        self.all_rows.setObjectName("patterns.all")
        self.all_rows.setToolTip(self.tr("Compute all queries exactly"))
        self.all_rows.clicked.connect(costs.start)
        self.cancel = QPushButton(self.tr("Cancel"), self)
        self.cancel.setObjectName("patterns.all.cancel")
        self.cancel.setAccessibleName(self.tr("Cancel the computation of all rows"))
        self.cancel.clicked.connect(costs.cancel)
        self._bar = QProgressBar(self)
        self._bar.setObjectName("patterns.all.bar")
        self._bar.setTextVisible(False)
        self._bar.setRange(0, 100)
        self._lay_out()
        costs.worker.progressed.connect(self._on_progressed)
        costs.changed.connect(self.refresh)
        self.refresh()

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self.list.set_theme(theme)

    @Slot()
    def refresh(self) -> None:
        """Show the choice and what it costs."""
        costs, choice = self._costs, self._costs.choice
        self.way.setCurrentIndex(self.way.findData(choice.way))
        self.bytes.setCurrentIndex(self.bytes.findData(costs.bytes_per_number))
        for name, row in self.counts.items():
            self._form.setRowVisible(row, name in COUNTS[choice.way])
            row.show_count(choice.count(name), max(1, costs.n_keys))
        known = costs.kept is not None
        self._lacking.setVisible(not known)
        self.list.show_costs(costs.in_sight, costs.all_rows)
        marked = costs.in_sight.n_marked if costs.in_sight else 0
        self._sight.setText(sight_sentence(costs.rows, marked))
        self._cache.setText(cache_sentence(costs))
        self._cache.setVisible(bool(self._cache.text()))
        self._trouble.say(costs.trouble)
        job = costs.computing
        # A button that is disabled or hidden would pass the focus on to anything.
        self.cancel.setVisible(job is not None or self.cancel.hasFocus())
        if job is not None and self.all_rows.hasFocus():
            self.cancel.setFocus()
        self.all_rows.setEnabled(known and job is None)
        if job is None and self.cancel.hasFocus():
            self.all_rows.setFocus()
        self.cancel.setVisible(job is not None)
        self._bar.setVisible(job is not None)
        self._bar.setValue(0 if job is None else int(100 * job.share))

    @Slot(object)
    def _on_progressed(self, job: CostJob) -> None:
        self._bar.setValue(int(100 * job.share))

    @Slot()
    def _on_way(self) -> None:
        self._costs.choose(way=self.way.currentData())

    @Slot()
    def _on_bytes(self) -> None:
        self._costs.choose_bytes(self.bytes.currentData())

    def _lay_out(self) -> None:
        title = heading("patterns.costs.title")
        title.setText(self.tr("What a sparse kernel would cost"))
        asked = QWidget(self)
        self._form = form = plain_form(asked)
        form.addRow(self.tr("Keep"), self.way)
        for name, text in _counts().items():
            row = self.counts[name]
            row.changed.connect(partial(self._choose, name))
            form.addRow(text, row)
        form.addRow(self.tr("Cache"), self.bytes)
        buttons = QHBoxLayout()
        buttons.addWidget(self.all_rows)
        buttons.addWidget(self.cancel)
        buttons.addWidget(self._bar, 1)
        buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        for widget in (title, asked, self._lacking, self._trouble, self.list):
            column.addWidget(widget)
        column.addWidget(self._sight)
        column.addWidget(self._cache)
        column.addLayout(buttons)

    def _choose(self, name: Count, count: int) -> None:
        self._costs.choose(**{name: count})


def _ways() -> dict[Way, tuple[str, str]]:
    return {
        "streaming": (
            _tr("sinks and window"),
            _tr("The first keys, and those less than a window away (StreamingLLM)"),
        ),
        "vertical-slash": (
            _tr("vertical and slash"),
            _tr("The keys and the offsets that receive the most (MInference)"),
        ),
        "top-k": (
            _tr("top-k of each query"),
            _tr("The largest weights of each query: the most that k keys can keep"),
        ),
    }


def _counts() -> dict[Count, str]:
    return {
        "sinks": _tr("Sinks"),
        "window": _tr("Window"),
        "keys": _tr("Keys"),
        "offsets": _tr("Offsets"),
        "k": _tr("Keys each"),
    }
