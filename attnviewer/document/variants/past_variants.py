"""Variants that a document had before, with their heads and matrices."""

from collections.abc import Mapping
from typing import TypeAlias

import numpy as np

from attnviewer.compute import Array, Spec, Variant
from attnviewer.document.document import Document
from attnviewer.document.edits import PastVariant

Forms: TypeAlias = Mapping[str, tuple[Array, Array]]


def past_variant(document: Document, variant: Variant) -> PastVariant | None:
    """Return the past state of a variant, if the document had it."""
    found = (past for past in document.past_variants if past.spec.variant == variant)
    return next(found, None)


def restored_matrices(document: Document, spec: Spec) -> dict[str, Array]:
    """Return the matrices to restore when a document returns to a variant.

    Those that a change of the variant cut, padded or regrouped, and that were not
    edited since; none if the variant comes back with other heads.
    """
    was = past_variant(document, spec.variant)
    if was is None or _heads(was.spec) != _heads(spec):
        return {}
    return {
        name: before
        for name, (before, after) in was.matrices.items()
        if name in document.matrices and np.array_equal(document.matrix(name), after)
    }


def past_variants_after(
    document: Document, spec: Spec, became: Mapping[str, Array]
) -> tuple[PastVariant, ...] | None:
    """Return the past variants after a document gets another spec.

    Parameters
    ----------
    document : Document
        The document, before the change.
    spec : Spec
        The new spec.
    became : mapping of str to ndarray
        The matrices that the new spec needs in another form.

    Returns
    -------
    tuple of PastVariant or None
        None if the variant stays.
    """
    if spec.variant == document.spec.variant:
        return None
    changed = {
        name: (document.matrix(name).copy(), matrix)
        for name, matrix in became.items()
        if name in document.matrices
    }
    others = [
        past for past in document.past_variants if past.spec.variant != spec.variant
    ]
    return (
        *(_followed(past, changed) for past in others),
        PastVariant(document.spec, changed),
    )


def _followed(past: PastVariant, changed: Forms) -> PastVariant:
    """Return an earlier variant, updated with the new forms of its matrices."""
    forms = dict(past.matrices)
    for name, (before, after) in changed.items():
        if name not in forms:
            forms[name] = before, after
        elif np.array_equal(forms[name][1], before):
            forms[name] = forms[name][0], after
    return PastVariant(past.spec, forms)


def _heads(spec: Spec) -> tuple[int, int]:
    return spec.n_heads, spec.kv_heads
