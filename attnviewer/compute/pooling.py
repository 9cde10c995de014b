"""Blocks of cells combined to one number each."""

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray


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
        The cells.
    block : tuple of two int
        a and b.
    combine : ufunc
        Makes one number of two.
    dtype : dtype, optional
        The type that it combines in; that of the cells by default.
    """
    if block[0] > 1:
        values = _pool_rows(values, block[0], combine, dtype)  # (⌈n / a⌉, m)
    return _pool_rows(values.T, block[1], combine, dtype).T


def _pool_rows(
    values: NDArray[Any], size: int, combine: np.ufunc, dtype: DTypeLike | None
) -> NDArray[Any]:
    # Slice by slice: reductions over a reshaped view are many times slower.
    pooled = values[::size].astype(dtype or values.dtype, order="K")  # (⌈n / size⌉, m)
    for offset in range(1, size):
        part = values[offset::size]  # (⌈n / size⌉ or one less, m)
        into = pooled[: part.shape[0]]
        combine(into, part, out=into)
    return pooled
