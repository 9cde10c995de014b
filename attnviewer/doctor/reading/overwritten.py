"""Variables that were overwritten, and hold a later step than their name says."""

from collections.abc import Iterator

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.mistakes import Evaluation, Plan
from attnviewer.doctor.precision import precision_of
from attnviewer.doctor.reading.folded_scale import shares
from attnviewer.doctor.reading.likeness import LOOSEST, fits
from attnviewer.doctor.reading.masks import HIDING
from attnviewer.doctor.reading.roles import COMPARISONS

_SCORES = COMPARISONS[:-1]
_ROUNDINGS = 16
"""How many roundings a row, or its length, is allowed."""


def step_held(step: str, array: Numbers, right: Evaluation) -> str | None:
    """Return the later step that an array is; None where it may be what it is called.

    ``q = rope(q)`` and ``scores = scores.masked_fill(…)`` are common, and right.

    Parameters
    ----------
    step : str
        The step that the array is called.
    array : ndarray
        The array.
    right : Evaluation
        The right numbers.

    Returns
    -------
    str or None
        Its name among the steps that an implementation may show.
    """
    held = _held(step, array, right)
    if held is not None and held.startswith("rotated "):
        return f"{held[-1]}_rotated"
    return held


def _held(step: str, array: Numbers, right: Evaluation) -> str | None:
    later = list(_later(step, right.plan))
    if not later or fits(array, right[step]):
        return None
    # The scale may be part of queries and keys.
    parts = (1.0, *({} if step in _SCORES else shares(right)).values())
    for name in later:
        if any(fits(array, right[name] * part) for part in parts):
            return name
    if step in _SCORES:
        hides = "masked" in later and _hides(array, right[step])
        return "masked" if hides else None
    if _has_columns_of(array, right[step]):
        return None
    turned = (n for n in later if n.startswith("rotated "))
    return next((n for n in turned if _is_as_long(array, right[n])), None)


def _later(step: str, plan: Plan) -> Iterator[str]:
    """Yield the steps that are computed from one and have its shape."""
    names = list(plan.steps)
    for name in names[names.index(step) + 1 :]:
        if step in _SCORES:
            # Scores that are scaled already are told of with the queries.
            if name in _SCORES and (step, name) != ("scores", "scaled"):
                yield name
        elif step[-1] in "QK" and name.endswith(f" {step[-1]}"):
            yield name


def _hides(scores: Numbers, right: Numbers) -> bool:
    """Return whether some scores are −∞, or nearly, where the right ones are not."""
    return bool(right.min() > HIDING and (scores <= HIDING).any())


def _has_columns_of(rows: Numbers, right: Numbers) -> bool:
    """Return whether rows are the right ones, with columns exchanged or negated."""
    if rows.shape != right.shape:
        return False
    theirs, exact = (np.sort(np.abs(a), axis=-1) for a in (rows, right))
    return np.allclose(theirs, exact, rtol=_share(rows), atol=_share(rows))


def _is_as_long(rows: Numbers, right: Numbers) -> bool:
    """Return whether rows are as long as the right ones, in whatever direction.

    A rotation of whatever pairs by whatever angles changes no length.
    """
    if rows.shape != right.shape:
        return False
    theirs, exact = (
        np.linalg.norm(a.astype(np.float64), axis=-1) for a in (rows, right)
    )
    return np.allclose(theirs, exact, rtol=_share(rows), atol=0)


def _share(rows: Numbers) -> float:
    """Return the share of a number that rounding may have changed it by."""
    return min(_ROUNDINGS * precision_of(rows).roundoff, LOOSEST)
