"""The cells of a step that a pin would be for."""

from collections.abc import Sequence
from dataclasses import dataclass

from attnviewer.compute import Index, Pin
from attnviewer.document import cell_name
from attnviewer.ui.state.heads import own_head, present_head
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.text.tokens import token_label


@dataclass(frozen=True, slots=True)
class Target:
    """Some cells of one head of a computed step.

    Parameters
    ----------
    step : str
        The step.
    head : int or None
        The step's own head; None for a step without heads.
    rows, columns : tuple of int
        The rows and columns that cross in the cells.
    shape : tuple of two int
        The shape of the step's matrices.
    """

    step: str
    head: int | None
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    shape: tuple[int, int]

    def pins_on(self, pins: Sequence[Pin]) -> list[int]:
        """Return which pins act on some of the cells."""
        return [
            number
            for number, pin in enumerate(pins)
            if pin.step == self.step
            and (None in (pin.head, self.head) or pin.head == self.head)
            and any(row in pin.rows for row in self.rows)
            and any(column in pin.columns for column in self.columns)
        ]


def selected_target(workbench: Workbench) -> Target | None:
    """Return the marked rows and columns, or else the selected cell.

    None for an input, which is edited in its table, and where nothing is selected.
    """
    selection, trace = workbench.selection, workbench.engine.current.trace
    step, cell, marked = selection.step, selection.cell, selection.marked
    if not trace.stages[step].inputs:
        return None
    n_rows, n_columns = shape = trace.matrix_shape(step)
    if marked:
        rows = tuple(sorted(marked.rows)) or tuple(range(n_rows))
        columns = tuple(sorted(marked.columns)) or tuple(range(n_columns))
    elif cell is not None:
        rows, columns = (cell[0],), (cell[1],)
    else:
        return None
    return Target(step, _own_head(workbench, step), rows, columns, shape)


def cells_target(
    workbench: Workbench, step: str, rows: range, columns: range
) -> Target:
    """Return a block of cells of the chosen head."""
    shape = workbench.engine.current.trace.matrix_shape(step)
    head = _own_head(workbench, step)
    return Target(step, head, tuple(rows), tuple(columns), shape)


def name_of(workbench: Workbench, target: Target) -> str:
    """Return the cells by name, such as ``scores[the, cat]``."""
    computed = workbench.engine.current
    if len(target.rows) == len(target.columns) == 1:
        lead: Index = () if target.head is None else (target.head,)
        index = (*lead, target.rows[0], target.columns[0])
        stage = computed.trace.stages[target.step]
        return cell_name(stage, computed.labels, index, token_label)
    pin = Pin(target.step, target.rows, target.columns, 0.0, head=target.head)
    return str(pin).rpartition(" = ")[0]


def _own_head(workbench: Workbench, step: str) -> int | None:
    trace = workbench.engine.current.trace
    if trace.n_heads(step) == 1:
        return None
    head = present_head(trace, workbench.selection.head)
    return own_head(trace, step, head)
