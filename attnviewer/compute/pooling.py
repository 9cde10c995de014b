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
    """Combine each block of a × b cells to one number, shape (⌈n / a⌉, ⌈m / b⌉).

    The numbers themselves, no copy, where a block is a cell.
    """
    rows = _pool_rows(values, block[0], combine)  # (⌈n / a⌉, m)
    return _pool_rows(rows.T, block[1], combine).T


def _pool_rows(
    values: NDArray[Number], size: int, combine: np.ufunc
) -> NDArray[Number]:
    if size == 1:
        return values
    # Slice by slice: reductions over a reshaped view are many times slower.
    first, second = values[::size], values[1::size]  # (⌈n / size⌉ or one less, m)
    pooled = np.empty_like(first)  # in the same order in memory
    both = second.shape[0]
    combine(first[:both], second, out=pooled[:both])
    pooled[both:] = first[both:]
    for offset in range(2, size):
        part = values[offset::size]
        into = pooled[: part.shape[0]]
        combine(into, part, out=into)
    return pooled
