"""The comparison page: A, B, B − A with the largest changes, or A beside B."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QHideEvent, QPaintEvent, QShowEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QLabel,
    QStackedWidget,
    QWidget,
)

from attnviewer.compute import CellChange, LargestChanges
from attnviewer.document import Comparison, Incomparable, Labels
from attnviewer.document.comparison import Side, StepPair
from attnviewer.ui.paint.step_content import DisplayedStep
from attnviewer.ui.state.folded_lines import FoldedLines
from attnviewer.ui.state.heads import query_head
from attnviewer.ui.state.selection import Position
from attnviewer.ui.state.workbench import STEP_OF_ALL, Workbench
from attnviewer.ui.views.step.difference.bar import DifferenceBar
from attnviewer.ui.views.step.difference.change_lists import ChangeLists
from attnviewer.ui.views.step.difference.changes_list import NamedChange
from attnviewer.ui.views.step.difference.content import compared_content, side_contents
from attnviewer.ui.views.step.difference.finder import ChangesFinder
from attnviewer.ui.views.step.difference.groups import foldings_of
from attnviewer.ui.views.step.difference.index_mapping import IndexMapping
from attnviewer.ui.views.step.difference.names import longest_name, name_of
from attnviewer.ui.views.step.difference.pictures import Pictures
from attnviewer.ui.views.step.difference.texts import (
    how_many_belong,
    what_changed,
    why_not,
)
from attnviewer.ui.views.step.heatmap.page import HeatmapFolding, HeatmapSelection
from attnviewer.ui.widgets.empty_state import EmptyState

if TYPE_CHECKING:
    from attnviewer.ui.state.baseline import Reference

PICTURE, BESIDE = 2, 1
"""Stretch factors of picture and lists."""


class DifferencePage(QWidget):
    """Compares the selected step with that of another state, see `BaselineModel`.

    Attributes
    ----------
    pictures : Pictures
        A, B or B − A, or both sides.
    heatmap : Heatmap
        A, B or B − A; B if A is beside it.
    changes, steps
        The lists beside it.
    painted : Signal
        The page has been painted.
    """

    painted = Signal()

    def __init__(self, workbench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("step.difference")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._workbench = workbench
        self._shown: DisplayedStep | None = None
        self._reference: Reference | None = None
        self._picture: tuple[str, int, str] | None = None
        self._settled = False
        self._tokens: tuple[Labels, Labels] | None = None
        self.finder = ChangesFinder(self)
        self.bar = DifferenceBar(workbench.baseline, self)
        self.pictures = Pictures(self)
        self.heatmap = self.pictures.heatmap
        HeatmapSelection(workbench, self.heatmap)
        HeatmapFolding(workbench, self.heatmap)
        self.summary = QLabel(self)
        self.summary.setObjectName("difference.summary")
        self._lists = ChangeLists(self)
        self.changes, self.steps = self._lists.changes, self._lists.steps
        self.empty = EmptyState("difference", self)
        self._lay_out()
        self.bar.showing_chosen.connect(self._show)
        self.empty.button.clicked.connect(self._pin)
        self.changes.chosen.connect(self._open_listed)
        self.steps.chosen.connect(self._open_step)
        self.heatmap.painted.connect(self.painted)
        self.pictures.cell_chosen.connect(self._on_other_chosen)
        workbench.selection.marked_changed.connect(self._on_marked)
        self.finder.found.connect(self._on_found)
        workbench.baseline.changed.connect(self._on_baseline_changed)
        workbench.opened.connect(self._on_baseline_changed)

    def show_step(self, shown: DisplayedStep) -> None:
        """Compare a step."""
        before, self._shown = self._shown, shown
        if (
            before is None
            or shown.computed is not before.computed
            or shown.folds != before.folds
        ):
            self._compare(shown)
            return
        self.finder.prefer(shown.step)
        self._show()

    def forget(self) -> None:
        """Drop the numbers; keep the zoom."""
        self._shown = self._reference = self._picture = None
        self.finder.forget()
        self.pictures.forget()

    def choose(self, cell: Position | None) -> None:
        """Mark the selected cell."""
        self.pictures.choose(cell)

    @Slot(object)
    def open_change(self, change: CellChange) -> None:
        """Select the cell of a change."""
        selection, trace = (
            self._workbench.selection,
            self._workbench.engine.current.trace,
        )
        step = selection.step
        if trace.n_heads(step) > 1:
            served = query_head(trace, step, change.head, selection.head)
            selection.choose_head(served)
        selection.choose_cell(step, (change.row, change.column))

    @Slot(object)
    def _open_listed(self, change: CellChange) -> None:
        """Select the cell of a change, the first of those that are compared as one."""
        pair = self.finder.pair(self._workbench.selection.step)
        lines = FoldedLines(pair.folding if isinstance(pair, StepPair) else None)
        cell = lines.of_step((change.row, change.column))
        assert cell is not None
        self.open_change(change._replace(row=cell[0], column=cell[1]))

    def finish(self) -> None:
        """Finish the comparison at once, as for an exported picture."""
        self._workbench.baseline.finish()
        self.finder.finish()
        self.pictures.statistics.finish()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.heatmap.isVisible():
            self.painted.emit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        shown = self._shown
        if shown is None or shown.computed is not self._workbench.engine.current:
            return  # the results are shown at once
        if self._workbench.baseline.reference() is not self._reference:
            self._compare(shown)
        else:
            self.finder.resume()
            self.pictures.statistics.resume()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.finder.stop()
        self.pictures.statistics.pause()

    @Slot()
    def _on_baseline_changed(self) -> None:
        if self._shown is not None and self.isVisible():
            self._compare(self._shown)

    def _compare(self, shown: DisplayedStep) -> None:
        """Compare the newest B with the newest A, as far as available."""
        self._reference = reference = self._workbench.baseline.reference()
        before = reference.side if reference is not None else None
        if before is None:
            self.finder.forget()
        else:
            after = Side(shown.computed.trace, shown.computed.labels)
            withheld = shown.computed.withheld
            shape = shown.computed.trace.matrix_shape(STEP_OF_ALL)
            folding = shown.folds.folding((shape[0], shape[1]))
            comparison = Comparison(after, before)
            self.finder.compare(comparison, shown.step, withheld, folding)
            self._choose_showing((before.labels, after.labels))
        self._show()

    def _choose_showing(self, tokens: tuple[Labels, Labels]) -> None:
        """Start side by side if the reference is an opened document.

        While both keep their tokens, the user's choice is kept.
        """
        if tokens == self._tokens:
            return
        self._tokens = tokens
        baseline = self._workbench.baseline
        opened = baseline.choice == "baseline" and not baseline.pinned_at
        if opened and tokens[0] != tokens[1]:
            self.bar.choose("A | B")
        elif self.bar.showing == "A | B":
            self.bar.choose("B − A")

    @Slot()
    def _on_found(self) -> None:
        if self._settled and self._shown is not None:
            self._lists.list_steps(
                self._shown, self.finder
            )  # all that is new are the other steps
        else:
            self._show()

    @Slot()
    def _show(self) -> None:
        shown = self._shown
        if shown is None:
            return
        self.bar.show_choice()
        self._lists.fit()
        comparison = self.finder.comparison
        nothing = comparison is None
        both = self.bar.showing == "A | B"
        self.summary.setVisible(not nothing)
        self._lists.setVisible(not nothing and not both)
        # Otherwise even a hidden widget would get its share of the space.
        self._grid.setColumnStretch(1, 0 if both or nothing else BESIDE)
        if comparison is None:
            self.summary.clear()
            self._say(self._why_nothing())
            return
        self._lists.list_steps(shown, self.finder)
        if both and shown.step in comparison.before.trace:
            self._show_sides(shown, comparison)
            return
        pair = self.finder.pair(shown.step)
        changes = self.finder.changes(shown.step)
        if isinstance(pair, StepPair) and changes is not None:
            self._settled = changes.finished
            self._show_pair(shown, pair, changes)
        elif isinstance(pair, Incomparable):
            self._settled = True
            self.summary.clear()
            self._lists.list_changes([])
            self._say(f"{why_not(shown.step, pair)} {self._what_else()}")

    def _show_sides(self, shown: DisplayedStep, comparison: Comparison) -> None:
        """Show A beside B, even with different tokens."""
        step = shown.step
        mapping = IndexMapping.of(*comparison.indices(step))
        sides = side_contents(shown, comparison, self.finder)
        picture = step, shown.head, self.bar.showing
        self._settled = sides is not None
        if sides is None:
            self.summary.clear()
            if picture != self._picture:
                self._say(self.tr("Reading…"))
            return
        before, after, _ = sides
        self.summary.setText(
            how_many_belong(before.shape[0], after.shape[0], len(mapping.rows))
        )
        # With equal counts, lines with the same index belong together.
        self.summary.setVisible(before.shape[0] != after.shape[0])
        self._picture = picture
        both = comparison.before, comparison.after
        tokens = [side.labels.queries for side in both]
        self.pictures.show_sides(sides, mapping, tokens, shown.theme)
        foldings = foldings_of(shown, comparison)
        self.pictures.statistics.show_heads(both, step, shown.head, foldings)
        self._stack.setCurrentWidget(self.pictures)

    def _show_pair(
        self, shown: DisplayedStep, pair: StepPair, changes: LargestChanges
    ) -> None:
        summary = what_changed(changes)
        if pair.partial:
            summary += " " + self.tr(
                "Cells of tokens that only A or only B has are not compared."
            )
        self.summary.setText(summary)
        self._lists.list_changes(
            [
                NamedChange(name_of(shown, pair, (c.head, c.row, c.column)), c)
                for c in changes.largest
            ],
            longest_name(shown, pair),
        )
        showing = self.bar.showing
        if showing == "B − A" and changes.finished and not changes.changed:
            self._say(summary)
            self.summary.clear()
            return
        content = compared_content(shown, pair, changes, showing, self.finder)
        picture = shown.step, shown.head, showing
        if content is not None:
            self._picture = picture
            self.pictures.show_one(content, shown.theme)
        else:
            self._settled = False
            if picture != self._picture:
                self._say(self.tr("Comparing…"))
                return
        self._stack.setCurrentWidget(self.pictures)

    def _what_else(self) -> str:
        """Say whether other steps can be compared."""
        if any(map(self.finder.changes, self._workbench.engine.current.trace)):
            return self.tr("The list of steps shows which can be compared.")
        return self.tr("No other step can be compared either.")

    def _why_nothing(self) -> str:
        baseline = self._workbench.baseline
        reference = self._reference
        if reference is not None:
            return reference.trouble or self.tr("Computing A…")
        if baseline.choice == "baseline":
            return self.tr(
                "There is no baseline yet. Set the present state as the baseline (A), "
                "then edit: every step shows what has changed since."
            )
        if baseline.choice == "without_pins":
            return self.tr(
                "No pin is switched on. Pin a number of a computed step, and every "
                "step shows what the pin changes."
            )
        return self.tr(
            "Nothing has been edited yet. Edit any number, and every "
            "step shows what changed. To keep comparing with the "
            "present state, set it as the baseline (A)."
        )

    def _say(self, text: str) -> None:
        """Show a text instead of a picture."""
        baseline = self._workbench.baseline
        pins = (
            self.finder.comparison is None
            and baseline.pinned is None
            and baseline.choice != "without_pins"
        )
        self.empty.say(text, self.tr("Set baseline") if pins else "")
        self._stack.setCurrentWidget(self.empty)
        self._picture = None
        self.pictures.forget()
        self.update()

    @Slot()
    def _pin(self) -> None:
        self._workbench.baseline.pin()

    @Slot(object)
    def _on_other_chosen(self, cell: Position | None) -> None:
        selection = self._workbench.selection
        selection.choose_cell(selection.step, cell)

    @Slot()
    def _on_marked(self) -> None:
        self.pictures.mark(self._workbench.selection.marked)

    @Slot(str)
    def _open_step(self, step: str) -> None:
        self._workbench.selection.choose_step(step)

    def _lay_out(self) -> None:
        self.summary.setWordWrap(True)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.pictures)
        self._stack.addWidget(self.empty)
        layout = self._grid = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.bar, 0, 0, 1, 2)
        layout.addWidget(self.summary, 1, 0)
        layout.addWidget(self._stack, 2, 0)
        layout.addWidget(self._lists, 1, 1, 2, 1)
        layout.setColumnStretch(0, PICTURE)
        layout.setColumnStretch(1, BESIDE)
        layout.setRowStretch(2, 1)
