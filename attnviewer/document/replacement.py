"""The edit that replaces a document by another."""

from attnviewer.document.document import Document
from attnviewer.document.edits import Replace
from attnviewer.document.matrices import same_bits
from attnviewer.document.training_record import as_edited


def replacement(document: Document, other: Document, label: str) -> Replace:
    """Return the edit that turns a document into another.

    Parameters
    ----------
    document : Document
        The document to edit.
    other : Document
        The document that it becomes: tokens, spec, matrices, recipes, past variants,
        title, notes, training, grid and groups. The two need have nothing in common.
    label : str
        The edit's name in the undo history.

    Returns
    -------
    Replace
        With only those matrices that differ in any bit.
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
        training=as_edited(other.training),
        grid=() if other.grid is None else (other.grid,),
        groups=other.groups,
        context_groups=other.context_groups,
    )
