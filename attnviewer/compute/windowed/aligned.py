"""A matrix whose rows and columns are aligned with those of another one."""

from typing import NamedTuple

import numpy as np

from attnviewer.compute.arrays import ALL, Array, BoolArray, IndexArray
from attnviewer.compute.windowed.base import Windowed


class _NonGaps(NamedTuple):
    """The rows or columns of a selection that are not gaps.

    Parameters
    ----------
    positions : ndarray of intp, shape (k,)
        Their positions in the selection.
    window : slice
        The part of the matrix that holds them.
    offsets : ndarray of intp, shape (k,)
        Their positions in that part.
    """

    positions: IndexArray
    window: slice
    offsets: IndexArray

    @classmethod
    def of(cls, sources: IndexArray) -> "_NonGaps":
        positions = np.flatnonzero(sources >= 0)
        known = sources[positions]
        if not len(known):
            return cls(positions, slice(0, 0), known)
        first = int(known.min())
        return cls(positions, slice(first, int(known.max()) + 1), known - first)


class Aligned:
    """Rows and columns of a matrix in another order, with gaps where it has none.

    Gaps are NaN, and hidden.

    Parameters
    ----------
    matrix : Windowed
        The matrix.
    rows, columns : ndarray of intp, shape (rows,) and (columns,)
        The row or column of the matrix at each one of the result; −1 for a gap.
    """

    def __init__(self, matrix: Windowed, rows: IndexArray, columns: IndexArray) -> None:
        self._matrix = matrix
        self._rows, self._columns = rows, columns

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self._rows), len(self._columns)

    def window(self, rows: slice = ALL, columns: slice = ALL) -> Array:
        """Return some of the numbers, shape (rows, columns)."""
        down, across = (
            _NonGaps.of(self._rows[rows]),
            _NonGaps.of(self._columns[columns]),
        )
        values = self._matrix.window(down.window, across.window)  # of the two parts
        dtype = np.result_type(values, np.float16)
        size = self._size(rows, columns)
        placed: Array = np.full(size, np.nan, dtype)  # (rows, columns)
        placed[np.ix_(down.positions, across.positions)] = values[
            np.ix_(down.offsets, across.offsets)
        ]
        return placed

    def hidden(self, rows: slice = ALL, columns: slice = ALL) -> BoolArray:
        """Return which cells are gaps or hidden by a mask, shape (rows, columns)."""
        down, across = (
            _NonGaps.of(self._rows[rows]),
            _NonGaps.of(self._columns[columns]),
        )
        hidden = self._matrix.hidden(down.window, across.window)
        size = self._size(rows, columns)
        placed: BoolArray = np.ones(size, np.bool_)  # (rows, columns)
        placed[np.ix_(down.positions, across.positions)] = (
            False if hidden is None else hidden[np.ix_(down.offsets, across.offsets)]
        )
        return placed

    def _size(self, rows: slice, columns: slice) -> tuple[int, int]:
        return len(self._rows[rows]), len(self._columns[columns])
