"""The neighbouring tokens that a user points at."""

from typing import NamedTuple

from attnviewer.document.rearranging import tokens_of
from attnviewer.ui.state.folds import Side
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.views.inputs.tokens.edits import sequence_at


class PointedTokens(NamedTuple):
    """Neighbouring tokens of a side.

    Parameters
    ----------
    side : str
        ``queries`` or ``keys``.
    start, stop : int
        The first token, and the one after the last.
    """

    side: Side
    start: int
    stop: int


def pointed_tokens(workbench: Workbench) -> PointedTokens | None:
    """Return the marked tokens of the step, or those selected in their table.

    None if there are none, or if they are no neighbours.
    """
    selection, trace = workbench.selection, workbench.engine.current.trace
    axes = trace.stages[selection.step].axes
    marked = selection.marked
    for axis, lines in zip(axes, (marked.rows, marked.columns), strict=True):
        if axis != "features" and lines:
            start, stop = min(lines), max(lines) + 1
            side: Side = "keys" if axis == "keys" else "queries"
            together = stop - start == len(lines)
            return PointedTokens(side, start, stop) if together else None
    return _selected_tokens(workbench)


def _selected_tokens(workbench: Workbench) -> PointedTokens | None:
    document, selected = workbench.document, workbench.edits.cursor.selection
    if selected is None:
        return None
    sequence = sequence_at(document, selected.table)
    if sequence is None:
        return None
    rows = selected.block.rows
    stop = min(rows.stop, len(tokens_of(document, sequence)))
    side: Side = "queries" if sequence in document.rows.tokens else "keys"
    return PointedTokens(side, rows.start, stop) if rows.start < stop else None
