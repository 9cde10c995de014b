"""Low-rank changes of scores, applied to the numerators of their weights."""

import numpy as np

from attnviewer.compute.arrays import Array

_ROWS = 16
"""Rows that are multiplied at a time, so that they stay in the cache."""


def multiply_by_exponentials(numerators: Array, left: Array, right: Array) -> Array:
    """Multiply numerators by e to the ``left @ right``, in place.

    Parameters
    ----------
    numerators : ndarray, shape (n_q, n_k)
        Exponentials of scores that have changed by ``left @ right``.
    left : ndarray, shape (n_q, r)
    right : ndarray, shape (r, n_k)
        The factors of the change; r is at least 1.

    Returns
    -------
    ndarray, shape (n_q,)
        The sums of the rows.
    """
    n_q, n_k = numerators.shape
    sums = np.empty(n_q, numerators.dtype)
    room = np.empty((2, _ROWS, n_k), numerators.dtype)
    for first in range(0, n_q, _ROWS):
        rows = slice(first, min(first + _ROWS, n_q))
        power, more = room[:, : rows.stop - first]  # (rows, n_k) each
        np.multiply.outer(left[rows, 0], right[0], out=power)
        for k in range(1, len(right)):
            power += np.multiply.outer(left[rows, k], right[k], out=more)
        kept = numerators[rows]
        kept *= np.exp(power, out=power)
        np.sum(kept, axis=1, out=sums[rows])
    return sums
