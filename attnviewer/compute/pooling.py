"""Blocks of cells combined to one number each."""

from typing import Any, Literal

import numpy as np
from numpy.typing import DTypeLike, NDArray

Pooling = Literal["extreme", "mean"]
"""What stands for the numbers of a block: the one furthest from zero, or their mean."""


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
        The cells; where a block is a cell, they are returned themselves.
    block : tuple of two int
        a and b.
    combine : ufunc
        Makes one number of two.
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
