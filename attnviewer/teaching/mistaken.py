"""The first step where a mistake shows, and the mistakes with the same effect."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from difflib import get_close_matches

import numpy as np

from attnviewer.compute import Slip, Trace, run
from attnviewer.compute.arrays import Numbers
from attnviewer.compute.mistakes import CATALOGUE, Evaluation, Plan, UnfitError
from attnviewer.compute.mistakes.catalogue import BY_ID
from attnviewer.document import Document

_CLOSE = 1e-9


def right_trace(document: Document) -> Trace:
    """Return the computation of a document without its mistakes."""
    return run(replace(document.spec, mistakes=()), document.inputs())


def first_wrong_step(document: Document) -> str:
    """Return the first step that the mistakes of a document change.

    Raises
    ------
    ValueError
        If they change none.
    """
    right, found = right_trace(document), document.compute()
    for name in right:
        if not alike(right[name], found[name]):
            return name
    raise ValueError(
        "The document must compute with a mistake that changes a step. Got none "
        "instead."
    )


def planted(document: Document) -> Slip:
    """Return the mistake that a document computes with.

    Raises
    ------
    ValueError
        Unless it is one.
    """
    slips = document.spec.mistakes
    if len(slips) != 1:
        raise ValueError(
            "The document must compute with one mistake here. "
            f"Got {len(slips)} instead."
        )
    return slips[0]


def mistaken_steps(
    document: Document,
    step: str,
    *,
    begin: bool = False,
    held: Mapping[str, Numbers] | None = None,
) -> Iterator[tuple[str, Numbers]]:
    """Yield the mistakes that can be made in a document, and what becomes of a step.

    Parameters
    ----------
    document : Document
        The document; its own mistakes are left out.
    step : str
        A step that is computed.
    begin : bool
        Only the mistakes that change no step before it.
    held : mapping of str to ndarray, optional
        Steps that are given instead of computed.

    Yields
    ------
    tuple of (str, ndarray)
        The id, and the step with it, of any shape; a mistake with several variations
        several times. In the order of the catalogue.
    """
    inputs = document.inputs()
    spec = replace(document.spec, mistakes=(), pins=())
    plan = Plan.of(spec, {name: array.shape for name, array in inputs.items()})
    base = Evaluation(plan, inputs, held)
    for mistake in CATALOGUE:
        if mistake.kind == "rounding":
            continue
        for variation in mistake.variations(plan):
            made = Evaluation(variation.plan, inputs, held, like=base)
            if made.shares(step) or (begin and not _begins(made, base, step)):
                continue
            try:
                yield mistake.id_of(variation), made[step]
            except UnfitError:
                continue


def differences(document: Document, id: str, step: str) -> Iterator[str]:
    """Yield, for each way of making a mistake, where it differs from a document's own.

    Parameters
    ----------
    document : Document
        A document with a mistake.
    id : str
        Another one; ways of making it that leave `step` right are left out.
    step : str
        The first wrong step of the document.

    Yields
    ------
    str
        A step that would hold other numbers, `step` before all others; "" if none
        would.
    """
    found, inputs = document.compute(), document.inputs()
    spec = replace(document.spec, mistakes=(), pins=())
    plan = Plan.of(spec, {name: array.shape for name, array in inputs.items()})
    base = Evaluation(plan, inputs)
    names = (step, *(name for name in found if name in plan))
    mistake = BY_ID[id.partition(":")[0]]
    for variation in mistake.variations(plan):
        made = Evaluation(variation.plan, inputs, like=base)
        if mistake.id_of(variation) != id or made.shares(step):
            continue
        try:
            yield next((n for n in names if not alike(made[n], found[n])), "")
        except UnfitError:
            continue


def _begins(made: Evaluation, base: Evaluation, step: str) -> bool:
    """Return whether a mistake leaves the numbers that a step is computed from."""
    right = base.plan[step].inputs
    return all(made.shares(source) for source in right if source in base.plan)


def check_mistake(id: str) -> None:
    """Check that the catalogue has a mistake of an id.

    Raises
    ------
    ValueError
        If there is none; names the nearest.
    """
    kind = id.partition(":")[0]
    if kind not in BY_ID:
        nearest = get_close_matches(kind[:60], BY_ID, n=1)
        hint = f" Did you mean '{nearest[0]}'?" if nearest else ""
        raise ValueError(
            "The mistake must be one that the doctor knows, by its id. "
            f"Got '{id}' instead.{hint}"
        )


def mistake_title(id: str) -> str:
    """Return what a mistake is called, with the matrix that it is about."""
    kind, _, detail = id.partition(":")
    return BY_ID[kind].title.format(detail=detail)


def alike(one: Numbers, other: Numbers) -> bool:
    """Return whether two arrays hold the same numbers up to rounding."""
    return one.shape == other.shape and bool(
        np.allclose(one, other, rtol=_CLOSE, atol=_CLOSE, equal_nan=True)
    )
