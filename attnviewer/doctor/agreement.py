"""Whether two arrays are the same up to rounding."""

import numpy as np

from attnviewer.compute.mistakes.plan import Numbers
from attnviewer.doctor.precision import FLOAT64, Precision

SAFETY = 8.0
"""The error bounds, in standard deviations of the rounding errors."""

AT_ONCE = 2**17
"""Numbers that are compared at once: what fits into the cache."""


def largest(numbers: Numbers) -> float:
    """Return the largest magnitude of the finite numbers; 0 where there are none."""
    size = np.abs(numbers)
    highest = float(size.max(initial=0.0))
    if np.isfinite(highest):
        return highest
    return float(np.max(size, initial=0.0, where=np.isfinite(size)))


def beyond(
    theirs: Numbers, right: Numbers, precision: Precision, deviation: Numbers
) -> float:
    """Return the largest difference in units of what rounding explains.

    See `worst` and `bound`.
    """
    if theirs.shape != right.shape:
        return np.inf
    if right.size <= AT_ONCE:
        return worst(theirs, right, bound(right, precision, deviation))
    rows = right.reshape(-1, right.shape[-1])
    others = theirs.reshape(rows.shape)
    spread = np.broadcast_to(deviation, right.shape).reshape(rows.shape)
    step = max(1, AT_ONCE // rows.shape[-1])
    size = largest(right)
    parts = (slice(at, at + step) for at in range(0, len(rows), step))
    return max(
        worst(others[p], rows[p], bound(rows[p], precision, spread[p], size))
        for p in parts
    )


def worst(theirs: Numbers, right: Numbers, bound: Numbers) -> float:
    """Return the largest difference in units of what rounding explains.

    Parameters
    ----------
    theirs, right : ndarray
        The arrays; not comparable, and therefore ∞ apart, unless of one shape.
    bound : ndarray
        The largest difference for each number that rounding explains.

    Returns
    -------
    float
        At most 1 where they agree. Infinite numbers and NaN have to be the same.
    """
    if theirs.shape != right.shape:
        return np.inf
    if not theirs.size:
        return 0.0
    with np.errstate(all="ignore"):
        ratio = np.abs(theirs - right) / bound
    highest = float(ratio.max())
    if np.isfinite(highest):
        return highest
    same = (theirs == right) | (np.isnan(theirs) & np.isnan(right))
    apart = np.isfinite(theirs) != np.isfinite(right)
    ratio = np.where(same, 0.0, np.where(apart | np.isnan(ratio), np.inf, ratio))
    return float(ratio.max())


def bound(
    right: Numbers,
    precision: Precision,
    deviation: Numbers,
    size: float | None = None,
) -> Numbers:
    """Return the largest differences that rounding explains.

    Parameters
    ----------
    right : ndarray
        The exact numbers.
    precision : Precision
        That of the numbers which are compared.
    deviation : ndarray
        What `Roundings` tells.
    size : float, optional
        The largest of all numbers, where these are some of them.
    """
    magnitude = np.abs(right)
    finite = np.where(np.isfinite(magnitude), magnitude, 0.0)
    last = 1.01 * precision.roundoff * finite + precision.smallest
    tiny = 64 * FLOAT64.roundoff * (largest(right) if size is None else size)
    return last + SAFETY * deviation + tiny
