"""The token of the open model that the selected cell belongs to."""

from attnviewer.document.rearranging import destinations
from attnviewer.ui.state.links import linked
from attnviewer.ui.state.workbench import STEP_OF_ALL, Workbench


def selected_token(workbench: Workbench) -> int | None:
    """Return where the model reads the selected query.

    None if no head of a model is open, or the token is not the model's.
    """
    computed, selection = workbench.engine.current, workbench.selection
    link = workbench.link
    trace, cell, step = computed.trace, selection.cell, selection.step
    if cell is None or link is None:
        return None
    if step not in trace or STEP_OF_ALL not in trace:
        return None
    rows = linked(trace, step, cell, STEP_OF_ALL).rows
    if not rows:
        return None
    # Tokens may have been moved, added or removed in the document.
    own = link.run.model.readable(link.run.tokens)
    return destinations(computed.labels.queries, own).get(rows[0])
