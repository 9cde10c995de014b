"""The largest weights of each query."""

from dataclasses import dataclass

import numpy as np

from attnviewer.compute.arguments import whole_number
from attnviewer.compute.arrays import Array, BoolArray, IndexArray
from attnviewer.compute.patterns.kept import Kept, counted


@dataclass(frozen=True)
class TopK(Kept):
    """Keeps the largest weights of each query, the first keys of equal ones.

    What no kernel knows before; the bound for those that select keys.

    Parameters
    ----------
    k : int
        How many keys of each query.
    """

    whole_rows = True

    k: int

    def __post_init__(self) -> None:
        whole_number("k", self.k, 1)

    def __str__(self) -> str:
        return f"{counted(self.k, 'key')} of each query"

    def mask(
        self, rows: slice, keys: slice, query_offset: int, tile: Array
    ) -> BoolArray | None:
        kept = np.zeros(tile.shape, bool)
        for row, chosen in zip(tile, kept, strict=True):
            chosen[largest(row, self.k)] = True
        return kept


def largest(row: Array, k: int) -> IndexArray:
    """Return the places of the k largest numbers, the first of equal ones."""
    n = row.size
    if k >= n:
        return np.arange(n)
    width = 16
    few = row[: n - n % width].reshape(-1, width).max(axis=1)
    candidates = np.arange(n)
    if k < few.size:
        # At least k numbers reach the k-th largest of the parts' largest ones.
        bound = np.partition(few, few.size - k)[few.size - k]
        candidates = np.flatnonzero(row >= bound)
    order = np.argsort(-row[candidates], kind="stable")[:k]
    return candidates[order]
