"""Blocks of cells combined to one number each."""

from typing import Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

Number = TypeVar("Number", bound=np.generic)
Pooling = Literal["extreme", "mean"]
"""What stands for the numbers of a block: the one furthest from zero, or their mean."""


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
