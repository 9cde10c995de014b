"""The cells that targets are about."""

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from attnviewer.compute import Cell, Trace
from attnviewer.document import Labels, cell_name, distinct_label
from attnviewer.document.labels import indexed_name
from attnviewer.ui.state.engine import Computed
from attnviewer.ui.state.heads import present_head
from attnviewer.ui.state.selection import Moves, Position
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.text.tokens import token_label

Quantity: TypeAlias = Literal["cell", "entropy", "effective_keys", "sum"]
"""The quantity of a target: the number of a cell, or a statistic of its row."""


@dataclass(frozen=True, slots=True)
class CellReference:
    """A cell of a step, in one head where the step has several.

    Parameters
    ----------
    step : str
        The step.
    row, column : int
        The cell.
    head : int or None
        The head of the queries; None for a step of a single matrix.
    """

    step: str
    row: int
    column: int
    head: int | None = None

    def is_in(self, trace: Trace) -> bool:
        """Return whether there is such a cell."""
        if self.step not in trace:
            return False
        n_rows, n_columns = trace.matrix_shape(self.step)
        head = 0 if self.head is None else self.head
        inside = self.row < n_rows and self.column < n_columns
        return inside and head < trace.n_query_heads

    def cell(self, trace: Trace) -> Cell:
        """Return the cell of the whole step."""
        lead = trace.matrix_index(self.step, self.head or 0)
        return Cell(self.step, (*lead, self.row, self.column))

    def name(self, computed: Computed) -> str:
        """Return the cell by name: ``weights H0[the, cat]``."""
        trace, labels = computed.trace, computed.labels
        index = self.cell(trace).index
        return cell_name(trace.stages[self.step], labels, index, token_label)

    def row_name(self, computed: Computed) -> str:
        """Return its row by name: ``weights H0[the, :]``."""
        trace, labels = computed.trace, computed.labels
        stage = trace.stages[self.step]
        lead = trace.matrix_index(self.step, self.head or 0)
        name = f"{stage.name} H{lead[-1]}" if lead else stage.name
        row = distinct_label(stage.axes[0], labels, self.row, token_label)
        return indexed_name(name, row, ":")


@dataclass(frozen=True, slots=True)
class Anchor:
    """A cell among the tokens that it was chosen with, which later edits may move.

    Parameters
    ----------
    reference : CellReference
        The cell.
    labels : Labels
        The tokens at that moment.
    """

    reference: CellReference
    labels: Labels

    def now(self, computed: Computed) -> CellReference | None:
        """Return where the cell is now; None while it is not there.

        A cell of a single matrix is that of head 0 once its step has several heads.
        """
        trace, reference = computed.trace, self.reference
        if reference.step not in trace:
            return None
        axes = trace.stages[reference.step].axes
        moves = Moves.between(self.labels, computed.labels, axes)
        pairs = (reference.row, moves.rows), (reference.column, moves.columns)
        row, column = (k if to is None else to.get(k) for k, to in pairs)
        if row is None or column is None:
            return None
        moved = replace(reference, row=row, column=column)
        if not moved.is_in(trace):
            return None
        several = trace.n_heads(reference.step) > 1
        return replace(moved, head=(reference.head or 0) if several else None)


def reference_to(workbench: Workbench, step: str, cell: Position) -> CellReference:
    """Return a cell of a step in the chosen head."""
    trace = workbench.engine.current.trace
    several = trace.n_heads(step) > 1
    head = present_head(trace, workbench.selection.head) if several else None
    return CellReference(step, *cell, head)


def selected_reference(workbench: Workbench) -> CellReference | None:
    """Return the selected cell of a computed step; None without one.

    Inputs are edited in their tables.
    """
    selection, trace = workbench.selection, workbench.engine.current.trace
    if selection.cell is None or not trace.stages[selection.step].inputs:
        return None
    return reference_to(workbench, selection.step, selection.cell)
