"""A change of the scores of low rank, which numerators are still to follow."""

from typing import Any

import numpy as np

from attnviewer.compute.arrays import Array, Places, Selection

RANK = 4
"""How many columns of Q and K may have changed before the numerators follow."""

ROWS = 16
"""Rows that turn at a time: they stay in the cache."""


class Turn:
    """Scores have changed by ``left @ right``; numerators turn by e to that.

    Parameters
    ----------
    n_q, n_k : int
        Numbers of queries and keys.
    dtype : dtype
        The type of the numbers.
    """

    def __init__(self, n_q: int, n_k: int, dtype: "np.dtype[Any]") -> None:
        self.left = np.zeros((n_q, RANK), dtype)
        self.right = np.zeros((RANK, n_k), dtype)
        self._buffers = np.empty((2, ROWS, n_k), dtype)
        self.rank = 0
        self._last: tuple[int, int] | None = None

    def takes(self, side: int, columns: Places) -> bool:
        """Return whether there is room for a change of these columns."""
        return self._is_last(side, columns) or self.rank + columns.size <= RANK

    def add(self, side: int, columns: Places, left: Array, right: Array) -> None:
        """Add a change of the scores by ``left @ right``.

        Parameters
        ----------
        side : int
            0 where columns of the queries have changed, 1 for the keys.
        columns : ndarray of intp
            The columns, r of them. Changing once more, a column adds to the change
            before.
        left : ndarray, shape (n_q, r)
            The factors of the rows.
        right : ndarray, shape (r, n_k)
            Those of the columns.
        """
        if not self._is_last(side, columns):
            place = slice(self.rank, self.rank + columns.size)
            self.left[:, place], self.right[place] = left, right
            self.rank += columns.size
            self._last = None if columns.size > 1 else (side, int(columns[0]))
        elif side == 0:
            self.left[:, self.rank - 1] += left[:, 0]
        else:
            self.right[self.rank - 1] += right[0]

    def _is_last(self, side: int, columns: Places) -> bool:
        return columns.size == 1 and self._last == (side, int(columns[0]))

    def forget(self, rows: Places) -> None:
        """Take note that some rows follow already."""
        self.left[rows] = 0
        if self._last is not None and self._last[0] == 1:
            self._last = None  # these rows must follow the next change of the column

    def factor(self, rows: Selection, columns: Selection) -> Array:
        """Return what numerators of some rows and columns are multiplied by."""
        left, right = self.left[rows], self.right[:, columns]  # (rows, r), (r, columns)
        power = np.zeros((len(left), right.shape[1]), left.dtype)  # (rows, columns)
        for k in range(self.rank):
            power += np.multiply.outer(left[:, k], right[k])
        return np.exp(power, out=power)

    def few_factors(self, rows: slice, columns: slice) -> Array:
        """Return the same for at most `ROWS` rows, in memory that is used each time."""
        own = self.left[rows]  # (rows, RANK)
        power, more = (buffer[: len(own), columns] for buffer in self._buffers)
        np.multiply.outer(own[:, 0], self.right[0, columns], out=power)
        for k in range(1, self.rank):
            power += np.multiply.outer(own[:, k], self.right[k, columns], out=more)
        factors: Array = np.exp(power, out=power)  # (rows, columns)
        return factors
