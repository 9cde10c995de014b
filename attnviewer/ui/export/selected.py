"""The block of cells that is selected in the open step."""

from attnviewer.document import Region
from attnviewer.ui.state.selection import Marked
from attnviewer.ui.views.step import StepView


def selected_block(step_view: StepView, marked: Marked) -> Region | None:
    """Return the selected block of cells, or None if they do not form one.

    In the table, that is its selection; elsewhere, the marked rows and columns.

    Parameters
    ----------
    step_view : StepView
        The open step.
    marked : Marked
        Its marked rows and columns; no marks stand for all.
    """
    if step_view.view == "table":
        return step_view.table.selected_block
    if not marked:
        return None
    rows, columns = step_view.shape
    down = _run(marked.rows, rows)
    across = _run(marked.columns, columns)
    if down is None or across is None:
        return None
    return Region(down[0], across[0], down[1], across[1])


def _run(indices: frozenset[int], count: int) -> tuple[int, int] | None:
    """Return the first index and the count, if the indices are contiguous."""
    if not indices:
        return 0, count
    first = min(indices)
    together = max(indices) - first + 1 == len(indices)
    return (first, len(indices)) if together else None
