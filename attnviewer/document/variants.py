"""Changing the variant of a document, with the matrices that it then needs."""

from dataclasses import replace

import numpy as np

from attnviewer.compute import Spec, Variant
from attnviewer.document.document import Document
from attnviewer.document.edits import EditError, Replace

VARIANT_TITLES: dict[Variant, str] = {
    "simplified": "Simplified self-attention",
    "self": "Self-attention",
    "multi_head": "Multi-head attention",
}


def variant_spec(document: Document, variant: Variant) -> Spec:
    """Return the document's spec turned into another variant.

    Scale, mask and normaliser stay. Multi-head attention starts with W_O and the
    smallest number of heads above 1 that divides the columns.

    Raises
    ------
    EditError
        If the columns cannot be divided among several heads.
    """
    spec = document.spec
    if variant == "simplified":
        return replace(spec, projected=False, n_heads=1, output_projection=False)
    if variant == "self":
        return replace(spec, projected=True, n_heads=1, output_projection=False)
    if spec.variant == "multi_head":
        return spec
    several = [n for n in possible_heads(document) if n > 1]
    if not several:
        raise EditError(
            "Multi-head attention needs at least 2 columns in 'W_Q' and 'W_V' that "
            "can be divided among the heads."
        )
    return replace(spec, projected=True, n_heads=several[0], output_projection=True)


def possible_heads(document: Document) -> list[int]:
    """Return the numbers of heads that divide the columns of W_Q and of W_V."""
    d_model = document.matrix("X").shape[1]
    widths = [
        document.matrix(name).shape[1] if name in document.matrices else d_model
        for name in ("W_Q", "W_V")
    ]
    common = int(np.gcd.reduce(widths))
    return [n for n in range(1, common + 1) if common % n == 0]


def spec_edit(document: Document, spec: Spec, label: str) -> Replace:
    """Return the edit that gives a document another spec.

    Matrices that the spec needs and the document lacks start as the identity: they
    change no number until they are edited. W_O leads back to d_model; where the
    values have another width, its identity is cut or padded with zeros.
    """
    present = dict(document.matrices)
    missing = [name for name in spec.input_names if name not in present]
    d_model = present["X"].shape[1]
    for name in missing:
        rows = present["W_V"].shape[1] if name == "W_O" else d_model
        sibling = {"W_Q": "W_K", "W_K": "W_Q"}.get(name)
        columns = present[sibling].shape[1] if sibling in present else d_model
        present[name] = np.eye(rows, columns)
    matrices = {name: present[name] for name in missing}
    return Replace(label, spec=spec, matrices=matrices)
