"""The block of cells that a person has selected in the open step."""

from attnviewer.document import Region
from attnviewer.ui.state.selection import Marked
from attnviewer.ui.views.step import StepView


def selected_block(step_view: StepView, marked: Marked) -> Region | None:
    """Return the selected cells, or None if they are no block.

    In the table it is what is selected there, elsewhere the marked rows and columns.

    Parameters
    ----------
    step_view : StepView
        The open step.
    marked : Marked
        Its marked rows and columns; all where none is.
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


def _run(places: frozenset[int], count: int) -> tuple[int, int] | None:
    """Return the first place and how many there are, if they lie side by side."""
    if not places:
        return 0, count
    first = min(places)
    together = max(places) - first + 1 == len(places)
    return (first, len(places)) if together else None
