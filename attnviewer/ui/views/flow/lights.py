"""Linked highlighting in the strip: which cells of which card are lit."""

from attnviewer.compute import Trace
from attnviewer.ui.state.links import linked
from attnviewer.ui.state.selection import Position, SelectionModel
from attnviewer.ui.views.flow.painting import NO_LINK, Highlights


def lit_in(trace: Trace, selection: SelectionModel, step: str) -> Highlights:
    """Return the highlights of a step's card.

    The selected cell, in the open step, and what is linked to the cell under the
    pointer or else to the selected one.
    """
    opened, selected = selection.step, selection.cell
    pointed, cell = selection.hovered
    softly = not _has_cell(trace, pointed, cell)
    if softly:
        pointed, cell = opened, selected
    outlined = selected if step == opened else None
    if not _has_cell(trace, step, outlined):
        outlined = None
    belongs = NO_LINK
    if cell is not None and _has_cell(trace, pointed, cell):
        belongs = linked(trace, pointed, cell, step)
    if softly and outlined:
        belongs = NO_LINK
    return Highlights(outlined, belongs, softly)


def _has_cell(trace: Trace, step: str, cell: Position | None) -> bool:
    """Return whether a trace has a cell, which may be of an earlier one."""
    if cell is None or step not in trace:
        return False
    rows, columns = trace.matrix_shape(step)
    return cell[0] < rows and cell[1] < columns
