"""The largest attention to distant keys."""

from typing import NamedTuple

import numpy as np

from attnviewer.compute.arrays import Array, IndexArray


class Needle(NamedTuple):
    """A distant key that a query attends to.

    Attributes
    ----------
    query, key : int
        Counted from zero.
    weight : float
        The weight.
    """

    query: int
    key: int
    weight: float


class Largest:
    """The cells of the largest size that were shown, the earliest of equal ones first.

    Parameters
    ----------
    most : int
        How many are kept.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._found: Cells = (
            np.empty(0),
            np.empty(0, np.intp),
            np.empty(0, np.intp),
        )

    @property
    def cells(self) -> "Cells":
        """The weights, queries and keys of the cells, the largest weight first."""
        return self._found

    @property
    def _least(self) -> float:
        """The weight that must be exceeded, or reached, to be among them."""
        weights = self._found[0]
        return float(abs(weights[-1])) if len(weights) == self._most else 0.0

    def show(self, tile: Array, sizes: Array, first_query: int, first_key: int) -> None:
        """Take in the cells of a tile whose sizes are above zero.

        Parameters
        ----------
        tile : ndarray, shape (rows, keys)
            The weights.
        sizes : ndarray, shape (rows, keys)
            Their sizes; those of cells that do not count are zero.
        first_query, first_key : int
            The query and the key of its first cell.
        """
        if not self._most:
            return
        by_row = sizes.max(axis=1)  # (rows,)
        rows = np.flatnonzero((by_row >= self._least) & (by_row > 0))
        if not rows.size:
            return
        cells = sizes[rows]  # (few rows, keys)
        at_least = max(self._least, _bound(cells, self._most))
        above = np.flatnonzero(cells > at_least)
        equal = (
            np.flatnonzero(cells == at_least)[: self._most] if at_least else above[:0]
        )
        down, across = np.divmod(np.concatenate([above, equal]), sizes.shape[1])
        queries = rows[down]
        weights = tile[queries, across].astype(np.float64)
        self.add((weights, queries + first_query, across + first_key))

    def add(self, cells: "Cells") -> None:
        """Take in cells."""
        joined = [np.concatenate(both) for both in zip(self._found, cells, strict=True)]
        weights, queries, keys = joined
        order = np.lexsort((keys, queries, -np.abs(weights)))[: self._most]
        self._found = weights[order], queries[order], keys[order]


Cells = tuple[Array, IndexArray, IndexArray]
"""Weights, queries and keys."""


def _bound(cells: Array, most: int) -> float:
    """Return a number that at least `most` cells reach, if there are so many; or 0."""
    width = 16 if cells.shape[1] % 16 == 0 else 1
    highs = cells.reshape(len(cells), -1, width).max(axis=2).ravel()
    if highs.size < most:
        return 0.0
    return max(0.0, float(np.partition(highs, highs.size - most)[highs.size - most]))
