"""The selection in queries and keys, whichever step is open."""

from typing import TYPE_CHECKING

from attnviewer.ui.state.folded_lines import FoldedLines
from attnviewer.ui.state.links import Linked, linked
from attnviewer.ui.state.selection import Marked, Position, SelectionModel
from attnviewer.ui.state.workbench import STEP_OF_ALL

if TYPE_CHECKING:
    from attnviewer.compute import Trace


class Pairs:
    """The selection, the marks and the hovered cell, as queries and keys.

    Where the open step has queries down and keys across, they are its own rows and
    columns. Of another step they are what belongs to its rows and columns, and what is
    chosen here opens the weights.

    Parameters
    ----------
    selection : SelectionModel
        What is selected, marked and pointed at.

    Attributes
    ----------
    trace : Trace or None
        The steps; None while no weights are shown.
    lines : FoldedLines
        Which queries and keys are shown as one. The selection is as it is shown.
    """

    def __init__(self, selection: SelectionModel) -> None:
        self._selection = selection
        self.trace: Trace | None = None
        self.lines = FoldedLines()

    @property
    def selected(self) -> Linked:
        """The pairs of the selected cell."""
        return self._linked(self._selection.step, self._selection.cell)

    @property
    def cell(self) -> Position | None:
        """The query and the key of the selected cell, if it has one of each."""
        there = self.selected
        alone = len(there.rows) == len(there.columns) == 1
        return (there.rows[0], there.columns[0]) if alone else None

    @property
    def hovered(self) -> Linked:
        """The pairs of the cell under the pointer, here or in another view."""
        return self._linked(*self._selection.hovered)

    @property
    def marked(self) -> Marked:
        """The queries and keys that are marked."""
        marked = self._selection.marked
        if self._is_open:
            return self.lines.shown_marks(marked)
        lines = [self._linked(self._selection.step, (row, 0)) for row in marked.rows]
        return Marked(
            frozenset(query for line in lines for query in line.rows),
            frozenset(key for line in lines for key in line.columns),
        )

    def select(self, cell: Position) -> None:
        """Select a query's key."""
        self._selection.choose_cell(self._step, self.lines.of_step(cell))

    def mark(self, marked: Marked) -> None:
        """Mark queries and keys."""
        if not self._is_open:
            self._selection.choose_step(STEP_OF_ALL)
        self._selection.mark(self.lines.marks_of_step(marked))

    def hover(self, cell: Position | None) -> None:
        """Say which query's key is under the pointer."""
        cell = self.lines.of_step(cell)
        if (self._step, cell) != self._selection.hovered:
            self._selection.hover(self._step, cell)

    @property
    def _is_open(self) -> bool:
        """Whether the open step has queries down and keys across."""
        step, trace = self._selection.step, self.trace
        if trace is None or step not in trace:
            return False
        return trace.stages[step].axes == ("queries", "keys")

    @property
    def _step(self) -> str:
        """The step whose cells are selected and pointed at from here."""
        return self._selection.step if self._is_open else STEP_OF_ALL

    def _linked(self, step: str, cell: Position | None) -> Linked:
        if cell is None or self.trace is None or step not in self.trace:
            return Linked()
        return self.lines.shown_links(linked(self.trace, step, cell, STEP_OF_ALL))
