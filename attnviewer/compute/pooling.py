"""Blocks of cells, each combined into one number."""

from typing import Any, Literal

import numpy as np
from numpy.typing import DTypeLike, NDArray

Pooling = Literal["extreme", "mean"]
"""How a block is reduced: to its number furthest from zero, or to its mean."""


def pool(
    values: NDArray[Any],
    block: tuple[int, int],
    combine: np.ufunc,
    dtype: DTypeLike | None = None,
) -> NDArray[Any]:
    """Combine each block of a × b cells to one number, shape (⌈n / a⌉, ⌈m / b⌉).

    Parameters
    ----------
    values : ndarray, shape (n, m)
        The cells; returned as they are where a block is a single cell.
    block : tuple of two int
        a and b.
    combine : ufunc
        Combines two numbers into one.
    dtype : dtype, optional
        The type that it combines in; that of the cells by default.
    """
    type_ = np.dtype(dtype or values.dtype)
    rows = _pool_rows(values, block[0], combine, type_)  # (⌈n / a⌉, m)
    columns = _pool_rows(rows.T, block[1], combine, type_)  # (⌈m / b⌉, ⌈n / a⌉)
    return columns.T.astype(type_, copy=False)


def _pool_rows(
    values: NDArray[Any], size: int, combine: np.ufunc, dtype: "np.dtype[Any]"
) -> NDArray[Any]:
    if size == 1:
        return values
    if size % 2 == 0 and size > 4:
        # Half of the numbers in each round, which is twice as fast.
        pairs = _pool_rows(values, 2, combine, dtype)  # (⌈n / 2⌉, m)
        return _pool_rows(pairs, size // 2, combine, dtype)
    # Slice by slice: reductions over a reshaped view are many times slower.
    first, second = values[::size], values[1::size]  # (⌈n / size⌉ or one less, m)
    pooled = np.empty_like(first, dtype)  # in the same order in memory
    both = second.shape[0]
    combine(first[:both], second, out=pooled[:both], dtype=dtype)
    pooled[both:] = first[both:]
    for offset in range(2, size):
        part = values[offset::size]
        into = pooled[: part.shape[0]]
        combine(into, part, out=into)
    return pooled
