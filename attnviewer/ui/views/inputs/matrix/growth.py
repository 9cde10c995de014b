"""The widths that make room for a block pasted into a matrix."""

from dataclasses import fields

from attnviewer.document import Dimensions, Document, EditError, Region
from attnviewer.document.variants.dimensions import dimensions_to_fit
from attnviewer.document.variants.resizing import plan_dimensions
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.views.inputs.cells.growth import Growth
from attnviewer.ui.views.inputs.tokens.edits import sequence_at

_tr = translate_in("Growth")


def growth_for(document: Document, matrix: str, block: Region) -> Growth | None:
    """Return the dimensions that a block needs; None if no widths would help."""
    rows, columns = document.matrix(matrix).shape
    tokens = 0
    if sequence_at(document, matrix) is not None:
        tokens = max(0, block.rows.stop - rows)
    shape = max(rows, block.rows.stop - tokens), max(columns, block.columns.stop)
    now = Dimensions.of(document)
    dimensions = dimensions_to_fit(document, matrix, shape)
    if dimensions is None or dimensions == now:
        return None
    if shape[1] > columns and now.n_heads > 1 and block.column:
        return None  # it is ambiguous which head the new columns belong to
    try:
        plan = plan_dimensions(document, dimensions)
    except EditError:
        return None
    widths = ", ".join(
        f"{field.name} {getattr(dimensions, field.name)}"
        for field in fields(dimensions)
        if getattr(dimensions, field.name) != getattr(now, field.name)
    )
    others = ", ".join(
        f"{effect.matrix} {effect.after[0]}×{effect.after[1]}"
        for effect in plan.effects
        if effect.changes and effect.matrix != matrix
    )
    return Growth(dimensions, _title(tokens, widths), _effect(widths, others))


def _title(tokens: int, widths: str) -> str:
    if not tokens:
        return _tr("&Make {widths} and paste").format(widths=widths)
    text = _tr("A&dd {count} tokens, make {widths} and paste")
    if tokens == 1:
        text = _tr("A&dd 1 token, make {widths} and paste")
    return text.format(count=tokens, widths=widths)


def _effect(widths: str, others: str) -> str:
    if not others:
        return ""
    text = _tr("With {widths}, other matrices grow too, padded with zeros: {matrices}.")
    return text.format(widths=widths, matrices=others)
