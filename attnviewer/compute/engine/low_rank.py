"""Low-rank updates of the scores that are not yet applied to the numerators."""

from typing import Any

import numpy as np

from attnviewer.compute.arrays import Array, IndexArray, Selection

RANK = 4
"""The most changed columns of Q and K before the update must be applied."""

ROWS = 16
"""Rows that are updated at a time, so that they fit the cache."""


class LowRankUpdate:
    """Adds ``left @ right`` to scores, so multiplies numerators by its exponential.

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

    def has_room(self, side: int, columns: IndexArray) -> bool:
        """Return whether a change of these columns still fits."""
        return self._is_last(side, columns) or self.rank + columns.size <= RANK

    def add(self, side: int, columns: IndexArray, left: Array, right: Array) -> None:
        """Add a change of the scores by ``left @ right``.

        Parameters
        ----------
        side : int
            0 where columns of the queries have changed, 1 for the keys.
        columns : ndarray of intp
            The r columns. A repeated change of a single column adds to the previous
            one.
        left : ndarray, shape (n_q, r)
            The factors of the rows.
        right : ndarray, shape (r, n_k)
            Those of the columns.
        """
        if not self._is_last(side, columns):
            span = slice(self.rank, self.rank + columns.size)
            self.left[:, span], self.right[span] = left, right
            self.rank += columns.size
            self._last = None if columns.size > 1 else (side, int(columns[0]))
        elif side == 0:
            self.left[:, self.rank - 1] += left[:, 0]
        else:
            self.right[self.rank - 1] += right[0]

    def _is_last(self, side: int, columns: IndexArray) -> bool:
        return columns.size == 1 and self._last == (side, int(columns[0]))

    def clear_rows(self, rows: IndexArray) -> None:
        """Clear the update of rows whose numerators were recomputed."""
        self.left[rows] = 0
        if self._last is not None and self._last[0] == 1:
            self._last = (
                None  # the next change of that column applies to these rows too
            )

    def factors(self, rows: Selection, columns: Selection) -> Array:
        """Return the factors of the numerators of some rows and columns."""
        left, right = self.left[rows], self.right[:, columns]  # (rows, r), (r, columns)
        power = np.zeros((len(left), right.shape[1]), left.dtype)  # (rows, columns)
        for k in range(self.rank):
            power += np.multiply.outer(left[:, k], right[k])
        return np.exp(power, out=power)

    def block_factors(self, rows: slice, columns: slice) -> Array:
        """Return the same for at most `ROWS` rows, in a buffer that is reused."""
        left = self.left[rows]  # (rows, RANK)
        power, more = (buffer[: len(left), columns] for buffer in self._buffers)
        np.multiply.outer(left[:, 0], self.right[0, columns], out=power)
        for k in range(1, self.rank):
            power += np.multiply.outer(left[:, k], self.right[k, columns], out=more)
        factors: Array = np.exp(power, out=power)  # (rows, columns)
        return factors
