"""One document put in place of another, as an edit."""

from attnviewer.document.document import Document
from attnviewer.document.edits import Replace
from attnviewer.document.matrices import same_bits


def replacement(document: Document, other: Document, label: str) -> Replace:
    """Return the edit that gives a document all that another one holds.

    Parameters
    ----------
    document : Document
        What is edited.
    other : Document
        What it becomes: tokens, spec, matrices, recipes, the variants to go back to,
        title and notes. It need not be like `document` in anything.
    label : str
        What undo calls it.

    Returns
    -------
    Replace
        With those matrices alone that differ, be it in one bit.
    """
    present, wanted = document.matrices, other.matrices
    gone = {name: None for name in present if name not in wanted}
    new = {
        name: matrix
        for name, matrix in wanted.items()
        if name not in present or not same_bits(present[name], matrix)
    }
    return Replace(
        label,
        spec=other.spec,
        tokens=other.tokens,
        matrices={**gone, **{name: matrix.copy() for name, matrix in new.items()}},
        context_tokens=other.context_tokens,
        recipes=other.recipes,
        past_variants=other.past_variants,
        title=other.title,
        notes=other.notes,
    )
