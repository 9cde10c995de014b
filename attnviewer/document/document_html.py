"""A document as HTML, as Jupyter shows it."""

from html import escape
from typing import TYPE_CHECKING

from attnviewer.compute.html import table_html, trace_html

if TYPE_CHECKING:
    from attnviewer.document.document import Document

MOST_COMPUTED = 128
"""Maximum number of tokens of a document whose steps are computed for display."""
LONGEST_NOTES = 500


def document_html(document: "Document") -> str:
    """Return a document's title, notes and steps; if large, its matrices instead."""
    notes = document.notes
    if len(notes) > LONGEST_NOTES:
        notes = f"{notes[: LONGEST_NOTES - 1]}…"
    queries, keys = document.labels
    if max(len(queries), len(keys)) <= MOST_COMPUTED:
        shown = trace_html(document.compute(), queries, keys)
    else:
        shown = "".join(
            f"<details><summary><b>{escape(name)}</b> "
            f"<small>{'×'.join(map(str, matrix.shape))}</small></summary>"
            f"{table_html(matrix)}</details>"
            for name, matrix in document.matrices.items()
        )
    return (
        f"<div><b>{escape(document.title)}</b>"
        f"<div><small>{escape(notes)}</small></div>{shown}</div>"
    )
