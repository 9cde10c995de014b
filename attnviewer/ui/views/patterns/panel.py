"""The Patterns dock: where the chosen head attends, and what may be left out."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from attnviewer.compute.patterns import DEFINITIONS, HeadPatterns
from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.state.patterns import Costs, Patterns
from attnviewer.ui.state.patterns.head import is_withheld, shape_of
from attnviewer.ui.state.patterns.jobs import FindJob
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.text.marked_rows import marked_sentence
from attnviewer.ui.views.patterns.cost_box import CostBox
from attnviewer.ui.views.patterns.needle_list import NeedleList
from attnviewer.ui.views.patterns.plots import DistancePlot, KeysPlot
from attnviewer.ui.views.patterns.share_list import ShareList
from attnviewer.ui.views.patterns.texts import (
    budget_sentence,
    budgets_tip,
    duration,
)
from attnviewer.ui.widgets.column import Column
from attnviewer.ui.widgets.docks import heading_row
from attnviewer.ui.widgets.elided_label import ElidedLabel
from attnviewer.ui.widgets.labels import heading, note
from attnviewer.ui.widgets.reason import ReasonLabel
from attnviewer.ui.widgets.tool_tips import plain_tip
from attnviewer.ui.widgets.withheld_note import WithheldNote

INSIDE = 12


class PatternsPanel(QWidget):
    """Shows the patterns of the chosen head, and the costs of leaving cells out.

    Parameters
    ----------
    patterns : Patterns
        Finds the patterns.
    costs : Costs
        Computes the costs.
    workbench : Workbench
        The selection, and what is withheld.
    appearance : Appearance
        The theme in force.
    parent : QWidget
        The dock.

    Attributes
    ----------
    heading : QWidget
        For the title bar.
    shares : ShareList
        The shares of attention.
    distances, effective : Plot
        The plots.
    needles : NeedleList
        The largest distant weights.
    costs : CostBox
        What may be left out.
    search, cancel : QPushButton
        Start a search, and cancel it.
    copied, exported : Signal
        The list of distant weights is to be copied, or written to a file.
    """

    copied = Signal()
    exported = Signal()

    def __init__(
        self,
        patterns: Patterns,
        costs: Costs,
        workbench: Workbench,
        appearance: Appearance,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("patterns")
        self.setAccessibleName(self.tr("Patterns"))
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._patterns, self._workbench = patterns, workbench
        self._appearance, self._costs = appearance, costs
        title = heading("patterns.title")
        title.setText(self.tr("Patterns"))
        self._summary = ElidedLabel("patterns.summary", Qt.TextElideMode.ElideRight)
        self.heading = heading_row(title, self._summary, self)
        content = QWidget()
        content.setObjectName("patterns.content")
        self._name, self._about = heading("patterns.name"), note("patterns.about")
        self._budget, self._marked = note("patterns.budget"), note("patterns.marked")
        self._state = note("patterns.state")
        self._trouble = ReasonLabel("patterns.trouble", content)
        self.search = QPushButton(self.tr("Find patterns"), content)
        self.search.setObjectName("patterns.search")
        self.cancel = QPushButton(self.tr("Cancel"), content)
        self.cancel.setObjectName("patterns.cancel")
        self.cancel.setAccessibleName(self.tr("Cancel the search"))
        self._bar = QProgressBar(content)
        self._bar.setObjectName("patterns.bar")
        self._bar.setTextVisible(False)
        self._bar.setRange(0, 100)
        self._results = QWidget(content)
        self.shares = ShareList(self._results)
        self.distances = DistancePlot(
            (self.tr("distance from query to key"), self.tr("attention, %")),
            DEFINITIONS["by distance"],
            self._results,
        )
        self.effective = KeysPlot(
            (self.tr("position of the query"), self.tr("effective keys")),
            DEFINITIONS["effective keys"],
            self._results,
        )
        # Created before the list below them: Tab follows the order of creation.
        self._copy, self._export = (QToolButton(self._results) for _ in range(2))
        self.needles = NeedleList(self._results)
        self._no_needles = note("patterns.needles.none")
        self._no_needles.setText(self.tr("No distant key receives any attention."))
        self.costs = CostBox(costs, content)
        self._lay_out(content)
        self._column = Column("patterns.scroll", content)
        withheld = WithheldNote(
            "patterns", workbench.engine, self._column, is_withheld, self
        )
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.heading)
        layout.addWidget(withheld, 1)
        layout.addWidget(self._column, 1)
        self.search.clicked.connect(patterns.start)
        self.cancel.clicked.connect(patterns.cancel)
        self.needles.chosen.connect(self._choose)
        self._copy.clicked.connect(self.copied)
        self._export.clicked.connect(self.exported)
        patterns.worker.progressed.connect(self._on_progressed)
        patterns.changed.connect(self.refresh)
        appearance.changed.connect(self.refresh)
        self.refresh()

    def focusInEvent(self, event: QFocusEvent) -> None:
        # Not a focus proxy, see `order_tabs`.
        first = self.shares if self.shares.isVisible() else self.search
        first.setFocus(event.reason())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._patterns.set_wanted(True)
        self._costs.set_wanted(True)
        self.refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._patterns.set_wanted(False)
        self._costs.set_wanted(False)

    @Slot()
    def refresh(self) -> None:
        """Show what was found, and what is being computed."""
        patterns, found = self._patterns, self._patterns.found
        self._show_work()
        self._results.setVisible(found is not None)
        for label in (self._name, self._about, self._budget):
            label.setVisible(found is not None)
        self._marked.setVisible(found is not None and bool(found.n_marked))
        theme = self._appearance.theme
        for each in (self.shares, self.needles, self.costs):
            each.set_theme(theme)
        if found is None:
            self._summary.setText("")
            return
        self._summary.setText(f"{self._head} · {found.name}")
        self._show_name(found)
        # What is found anew at once would only flicker.
        outdated = patterns.outdated and not patterns.at_once
        self.shares.show_shares(found, outdated=outdated)
        for plot in (self.distances, self.effective):
            plot.show_patterns(found, theme, outdated=outdated)
        self.needles.show_needles(patterns, outdated=outdated)
        for widget in (self.needles, self._copy, self._export):
            widget.setVisible(bool(found.needles))
        self._no_needles.setVisible(not found.needles)

    @property
    def _head(self) -> str:
        return self._workbench.head_location(self._patterns.number).name

    def _show_name(self, found: HeadPatterns) -> None:
        self._name.setText(found.name)
        self._name.setToolTip(plain_tip(DEFINITIONS[found.name]))
        self._about.setText(DEFINITIONS[found.name])
        self._budget.setText(budget_sentence(found))
        self._budget.setToolTip(plain_tip(budgets_tip(found)))
        self._marked.setText(marked_sentence(found.n_marked))
        self._marked.setToolTip(plain_tip(DEFINITIONS["marked"]))

    def _show_work(self) -> None:
        """Show the search, or why there is none."""
        patterns, job = self._patterns, self._patterns.computing
        asked = not patterns.at_once or bool(patterns.trouble)
        if job is not None and not patterns.at_once:
            self.cancel.show()
            self._pass_focus(self.search, self.cancel)
        self.search.setVisible(asked)
        self.search.setEnabled(job is None)
        if job is None:
            self._pass_focus(self.cancel, self.search)
        shown = job is not None and not patterns.at_once
        self.cancel.setVisible(shown)
        self._bar.setVisible(shown)
        self._bar.setValue(0 if job is None else int(100 * job.share))
        self._trouble.setMinimumHeight(0)
        self._trouble.say(patterns.trouble, error=False)
        self._state.setText(self._sentence(job))
        self._state.setVisible(bool(self._state.text()))

    def _sentence(self, job: FindJob | None) -> str:
        patterns = self._patterns
        if patterns.at_once:
            return "" if patterns.found else self.tr("Finding patterns…")
        if job is not None:
            return patterns.progress(job)
        if patterns.outdated:
            return self.tr(
                "Numbers have changed since the search: find the patterns again."
            )
        if patterns.found is not None:
            return ""
        n_q, n_k = shape_of(patterns.computed)
        text = self.tr("All {n_q:,} × {n_k:,} weights are read.")
        seconds = patterns.seconds
        if seconds is not None:
            text = self.tr(
                "All {n_q:,} × {n_k:,} weights are read, which takes about {time}."
            )
        return text.format(n_q=n_q, n_k=n_k, time=duration(seconds or 0.0))

    def _pass_focus(self, before: QWidget, after: QWidget) -> None:
        if before.hasFocus() and not after.isHidden():
            after.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot(object)
    def _on_progressed(self, job: FindJob) -> None:
        self._bar.setValue(int(100 * job.share))
        self._state.setText(self._sentence(job))

    @Slot(object)
    def _choose(self, cell: tuple[int, int]) -> None:
        weights = self._patterns.computed.trace.pipeline.weights
        self._workbench.selection.choose_cell(weights, cell)

    def _lay_out(self, content: QWidget) -> None:
        buttons = QHBoxLayout()
        buttons.addWidget(self.search)
        buttons.addWidget(self.cancel)
        buttons.addWidget(self._bar, 1)
        buttons.addStretch(1)
        listed = heading("patterns.needles.title")
        listed.setText(self.tr("Largest distant weights"))
        listed.setToolTip(plain_tip(DEFINITIONS["needles"]))
        for button, name, text, tip in (
            (self._copy, "copy", self.tr("Copy"), self.tr("Copy the list as CSV")),
            (
                self._export,
                "export",
                self.tr("Export…"),
                self.tr("Write the list to a CSV file, with all digits"),
            ),
        ):
            button.setObjectName(f"patterns.{name}")
            button.setText(text)
            button.setToolTip(tip)
        title = QHBoxLayout()
        title.addWidget(listed, 1)
        title.addWidget(self._copy)
        title.addWidget(self._export)
        results = QVBoxLayout(self._results)
        results.setContentsMargins(0, 0, 0, 0)
        results.setSpacing(8)
        results.addWidget(self.shares)
        results.addWidget(self.distances)
        results.addWidget(self.effective)
        results.addLayout(title)
        results.addWidget(self.needles)
        results.addWidget(self._no_needles)
        column = QVBoxLayout(content)
        column.setContentsMargins(INSIDE, 8, INSIDE, INSIDE)
        column.setSpacing(8)
        texts = self._name, self._about, self._budget, self._marked, self._state
        for widget in texts:
            column.addWidget(widget)
        column.addWidget(self._trouble)
        column.addLayout(buttons)
        column.addWidget(self._results)
        column.addSpacing(8)
        column.addWidget(self.costs)
        column.addStretch(1)
