"""Edits of the mistakes that a document computes with."""

from collections.abc import Sequence
from dataclasses import replace

from attnviewer.compute import Slip, check_mistakes
from attnviewer.document.document import Document
from attnviewer.document.edits import EditError, Replace


def set_mistakes(document: Document, slips: Sequence[Slip], label: str) -> Replace:
    """Return the edit that has a document compute with mistakes, and its title say so.

    Parameters
    ----------
    document : Document
        The document.
    slips : sequence of Slip
        The mistakes, in place of those it has; none for the right computation.
    label : str
        The name of the edit.

    Raises
    ------
    EditError
        If its computation cannot be made with one of them.
    """
    spec = replace(document.spec, mistakes=tuple(slips))
    shapes = {name: a.shape for name, a in document.matrices.items()}
    try:
        check_mistakes(spec, shapes)
    except ValueError as error:
        raise EditError(str(error)) from error
    before = title_suffix(document.spec.mistakes)
    title = document.title.removesuffix(before) + title_suffix(spec.mistakes)
    return Replace(label, spec=spec, title=title)


def title_suffix(slips: Sequence[Slip]) -> str:
    """Return what the title of a document says of its mistakes; "" without any."""
    if not slips:
        return ""
    titles = "; ".join(slip.title for slip in slips)
    return f" (with the mistake{'s' if len(slips) > 1 else ''}: {titles})"
