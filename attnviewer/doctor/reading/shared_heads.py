"""Keys and values that were repeated for the heads of queries that share them."""

import numpy as np

from attnviewer.compute.arrays import Numbers


def unshared(heads: Numbers, count: int) -> tuple[Numbers | None, str]:
    """Return keys or values once for each of their heads, and how they were repeated.

    Parameters
    ----------
    heads : ndarray, shape (..., h, n, d)
        One for each head of queries.
    count : int
        Number of heads of keys and values, a divisor of h.

    Returns
    -------
    shared : ndarray, shape (..., count, n, d), or None
        None where the heads are not the same ones again.
    how : str
        In words.
    """
    times = heads.shape[-3] // count
    neighbours = heads[..., ::times, :, :]
    if np.array_equal(np.repeat(neighbours, times, axis=-3), heads, equal_nan=True):
        return neighbours, "each head repeated for those of queries that share it"
    first = heads[..., :count, :, :]
    if np.array_equal(np.concatenate([first] * times, -3), heads, equal_nan=True):
        return first, "all heads repeated one after the other (tiled)"
    return None, ""
