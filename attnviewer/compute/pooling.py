"""Smaller pictures of large matrices in which no hot cell gets lost."""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from attnviewer.compute.arrays import Array

Number = TypeVar("Number", bound=np.generic)


def pool_extremes(values: Array, rows: int, columns: int) -> Array:
    """Shrink a matrix, keeping of each block the number furthest from zero.

    Parameters
    ----------
    values : ndarray, shape (n, m)
        The numbers. NaN and +inf win over every number, −inf (a masked score)
        loses against every number.
    rows, columns : int
        The most rows and columns of the result.

    Returns
    -------
    ndarray, shape (⌈n / a⌉, ⌈m / b⌉)
        One number per block of a × b cells, the smallest blocks that fit; the
        matrix itself where they are single cells.
    """
    block = -(-values.shape[0] // rows), -(-values.shape[1] // columns)
    if max(block) <= 1:
        return values
    highest = pool(values, block, np.maximum)  # (⌈n / a⌉, ⌈m / b⌉)
    lowest = pool(values, block, np.minimum)  # (⌈n / a⌉, ⌈m / b⌉)
    if np.isneginf(lowest).any():
        open_only = np.where(np.isneginf(values), np.inf, values)  # (n, m)
        lowest = pool(open_only, block, np.minimum)
    # NaN compares false and is then taken from `highest`, which kept it.
    return np.where(-lowest > highest, lowest, highest)


def pool(
    values: NDArray[Number], block: tuple[int, int], combine: np.ufunc
) -> NDArray[Number]:
    """Combine each block of a × b cells to one number, shape (⌈n / a⌉, ⌈m / b⌉)."""
    rows = _pool_rows(values, block[0], combine)  # (⌈n / a⌉, m)
    return _pool_rows(rows.T, block[1], combine).T


def _pool_rows(
    values: NDArray[Number], size: int, combine: np.ufunc
) -> NDArray[Number]:
    # Slice by slice: reductions over a reshaped view are many times slower.
    pooled = values[::size].copy(order="K")  # (⌈n / size⌉, m)
    for offset in range(1, size):
        part = values[offset::size]  # (⌈n / size⌉ or one less, m)
        into = pooled[: part.shape[0]]
        combine(into, part, out=into)
    return pooled
