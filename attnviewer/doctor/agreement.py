"""Comparison of two arrays up to rounding."""

from collections.abc import Iterator

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.threads import in_threads
from attnviewer.doctor.precision import FLOAT64, Precision

SAFETY = 8.0
"""The error bounds, in standard deviations of the rounding errors."""

AT_ONCE = 2**17
"""Numbers that are compared at once: what fits into the cache."""


def largest(numbers: Numbers) -> float:
    """Return the largest magnitude of the finite numbers; 0 where there are none."""
    if not numbers.size:
        return 0.0
    highest = max(abs(float(numbers.max())), abs(float(numbers.min())))
    if np.isfinite(highest):
        return highest
    return float(np.max(np.abs(numbers), initial=0.0, where=np.isfinite(numbers)))


def far_apart(theirs: Numbers, right: Numbers, limit: float) -> bool:
    """Return whether some number is off by more than a limit, though not infinitely."""
    with np.errstate(all="ignore"):
        for one, other in blocks(theirs, right):
            off = np.abs(one - other)
            if ((off > limit) & (off < np.inf)).any():
                return True
    return False


def in_roundings(
    theirs: Numbers, right: Numbers, precision: Precision, deviation: Numbers
) -> float:
    """Return the largest difference in units of what rounding explains.

    See `worst` and `bound`.
    """
    if theirs.shape != right.shape:
        return np.inf
    if right.size <= AT_ONCE:
        return worst(theirs, right, bound(right, precision, deviation))
    size = largest(right)
    found = list[float]()

    def compare(block: tuple[Numbers, ...]) -> None:
        others, rows, spread = block
        found.append(worst(others, rows, bound(rows, precision, spread, size)))

    spread = np.broadcast_to(deviation, right.shape)
    in_threads(compare, list(blocks(theirs, right, spread)))
    return max(found)


def blocks(*arrays: Numbers) -> Iterator[tuple[Numbers, ...]]:
    """Yield rows of arrays of one shape, as many as fit into the cache."""
    shape = arrays[0].shape
    if arrays[0].size <= AT_ONCE:
        yield arrays
        return
    rows = [array.reshape(-1, shape[-1]) for array in arrays]
    step = max(1, AT_ONCE // shape[-1])
    for first in range(0, len(rows[0]), step):
        yield tuple(array[first : first + step] for array in rows)


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
    errors = np.asarray(np.abs(right), np.float64)
    if not np.isfinite(errors.max(initial=0.0)):
        errors[~np.isfinite(errors)] = 0.0
    errors *= 1.01 * precision.roundoff
    tiny = 64 * FLOAT64.roundoff * (largest(right) if size is None else size)
    errors += precision.smallest + tiny
    errors += SAFETY * deviation
    return errors
