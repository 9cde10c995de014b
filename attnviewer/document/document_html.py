"""A document as HTML, as Jupyter shows it."""

from collections.abc import Callable, Mapping
from html import escape

from attnviewer.compute import Array, Trace
from attnviewer.compute.html import table_html
from attnviewer.compute.steps_html import steps_html
from attnviewer.document.labels import Labels

MOST_COMPUTED = 128
"""Maximum number of tokens of a document whose steps are computed for display."""
LONGEST_NOTES = 500


def document_html(
    title: str,
    notes: str,
    labels: Labels,
    matrices: Mapping[str, Array],
    compute: Callable[[], Trace],
) -> str:
    """Return a document's title, notes and steps; if large, its matrices instead.

    Parameters
    ----------
    title, notes : str
        Title and notes.
    labels : Labels
        The tokens as labels of queries and keys.
    matrices : mapping of str to ndarray
        The inputs.
    compute : callable
        Returns the steps.
    """
    if len(notes) > LONGEST_NOTES:
        notes = f"{notes[: LONGEST_NOTES - 1]}…"
    queries, keys = labels
    if max(len(queries), len(keys)) <= MOST_COMPUTED:
        trace = compute()
        shown = steps_html(trace, trace.limits, queries, keys)
    else:
        shown = "".join(
            f"<details><summary><b>{escape(name)}</b> "
            f"<small>{'×'.join(map(str, matrix.shape))}</small></summary>"
            f"{table_html(matrix)}</details>"
            for name, matrix in matrices.items()
        )
    return (
        f"<div><b>{escape(title)}</b>"
        f"<div><small>{escape(notes)}</small></div>{shown}</div>"
    )
