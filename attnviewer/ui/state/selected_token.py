"""The token of the open model that the selected cell belongs to."""

from attnviewer.ui.state.links import linked
from attnviewer.ui.state.workbench import STEP_OF_ALL, Workbench


def selected_token(workbench: Workbench) -> int | None:
    """Return the position of the selected query; None if no head of a model is open."""
    trace, selection = workbench.engine.current.trace, workbench.selection
    cell, step = selection.cell, selection.step
    if cell is None or workbench.link is None:
        return None
    if step not in trace or STEP_OF_ALL not in trace:
        return None
    rows = linked(trace, step, cell, STEP_OF_ALL).rows
    return rows[0] if rows else None
