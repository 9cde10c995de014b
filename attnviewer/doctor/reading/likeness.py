"""The similarity of an array to the right one, to choose between its readings."""

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.doctor.precision import precision_of
from attnviewer.doctor.reading.masks import HIDING

ROUNDINGS = 64
LOOSEST = 0.03
ENOUGH = 2**17
"""The error that a reading is allowed, so many roundings and at most this share; and
how many numbers tell it."""


def difference(theirs: Numbers, right: Numbers) -> float:
    """Return the mean difference as a share of the largest right number.

    Numbers that hide a key count as −∞, and infinite numbers that are not the same
    as wholly different.

    Parameters
    ----------
    theirs, right : ndarray
        The arrays; wholly different unless of one shape.
    """
    if theirs.shape != right.shape:
        return 1.0
    off, size = _compared(*_samples(theirs, right))
    return float(np.minimum(off / size, 1.0).mean())


def fits(theirs: Numbers, right: Numbers) -> bool:
    """Return whether an array is the right one up to rounding."""
    if theirs.shape != right.shape:
        return False
    theirs, right = _samples(theirs, right)
    off, size = _compared(theirs, right)
    roundoff = precision_of(theirs).roundoff
    return bool(off.max() <= min(ROUNDINGS * roundoff, LOOSEST) * size)


def _samples(theirs: Numbers, right: Numbers) -> tuple[Numbers, Numbers]:
    """Return both as rows of numbers; of large arrays, regularly spaced samples."""
    step = theirs.size // ENOUGH | 1  # odd, so that all columns are sampled
    return theirs.reshape(-1)[::step], right.reshape(-1)[::step]


def _compared(theirs: Numbers, right: Numbers) -> tuple[Numbers, float]:
    """Return the differences, and the largest right number."""
    a = np.where(theirs <= HIDING, -np.inf, theirs.astype(np.float64))
    b = np.where(right <= HIDING, -np.inf, right)
    finite = np.abs(b[np.isfinite(b)])
    size = float(finite.max()) if finite.size and finite.max() > 0 else 1.0
    with np.errstate(invalid="ignore"):
        off = np.abs(a - b)
    off = np.where(a == b, 0.0, np.where(np.isfinite(off), off, np.inf))
    return off, size
