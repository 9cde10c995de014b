"""Documents with a mistake of the catalogue planted in them."""

from dataclasses import replace

import numpy as np

from attnviewer.compute import Array, Slip
from attnviewer.compute.mistakes import CATALOGUE, Plan
from attnviewer.compute.mistakes.making import slips_in
from attnviewer.doctor.faulty import with_slips
from attnviewer.document import Document, EditError, Replace


class InvisibleError(ValueError):
    """A mistake that changes nothing with these numbers."""


def mistakes_in(document: Document) -> tuple[str, ...]:
    """Return the ids of the mistakes that a document can be computed with.

    In the order of the catalogue; whether they can be seen, `with_mistake` tells.
    """
    plan = _plan(document)
    ids = (
        mistake.id_of(variation)
        for mistake in CATALOGUE
        if mistake.kind != "rounding"
        for variation in mistake.variations(plan)
    )
    return tuple(dict.fromkeys(ids))


def with_mistake(document: Document, id: str) -> Document:
    """Return a document computing with a mistake, in the first way that can be seen.

    Raises
    ------
    InvisibleError
        If the output is the same with it.
    ValueError
        If the computation cannot be made with it.
    """
    right = document.compute()
    slips = slips_in(_plan(document), id)
    if not slips:
        raise ValueError(
            "The 'mistake' must be one that this computation can be made with. "
            f"Got '{id}' instead, which it cannot."
        )
    for slip in slips:
        mistaken = _with(document, slip)
        if mistaken is not None and not _same(right["output"], mistaken):
            return mistaken
    raise InvisibleError(
        "The 'mistake' must change the output of this document. "
        f"Got '{id}' instead, which gives the same numbers."
    )


def _plan(document: Document) -> Plan:
    shapes = {name: a.shape for name, a in document.inputs_in_place().items()}
    return Plan.of(replace(document.spec, mistakes=(), pins=()), shapes)


def _with(document: Document, slip: Slip) -> Document | None:
    title = document.title
    try:
        made = with_slips(document, (slip,))
    except EditError:
        return None
    # Its own title would give the mistake away.
    made.apply(Replace("Hide the mistake", title=title))
    return made


def _same(right: Array, document: Document) -> bool:
    found = document.compute()["output"]
    return found.shape == right.shape and bool(
        np.allclose(right, found, rtol=0, atol=1e-6, equal_nan=True)
    )
