"""Arrays that rows are appended to."""

import numpy as np

from attnviewer.compute import Array


class GrowingRows:
    """An array to which rows are appended, in memory that doubles when it is full.

    Rows that were handed out are never overwritten.

    Parameters
    ----------
    rows : ndarray, shape (..., n, d)
        The first rows, which are copied.
    most : int, optional
        How many of the last rows are kept; by default all.
    """

    def __init__(self, rows: Array, most: int | None = None) -> None:
        self._most = most
        self._start = self._end = 0
        self._memory = rows
        self._move(rows[..., self._first(rows.shape[-2]) :, :])

    @property
    def rows(self) -> Array:
        """The rows that are kept, (..., m, d), read-only."""
        rows = self._memory[..., self._start : self._end, :]
        rows.flags.writeable = False
        return rows

    @property
    def count(self) -> int:
        """The number of rows that are kept."""
        return self._end - self._start

    def append(self, rows: Array) -> None:
        """Append rows, shape (..., m, d)."""
        end = self._end + rows.shape[-2]
        if end > self._memory.shape[-2]:
            kept = self._memory[..., self._start : self._end, :]
            self._move(np.concatenate([kept, rows], axis=-2))
        else:
            self._memory[..., self._end : end, :] = rows
            self._end = end
        self._start += self._first(self.count)

    def _first(self, count: int) -> int:
        """Return the first row to be kept of so many."""
        return 0 if self._most is None else max(count - self._most, 0)

    def _move(self, rows: Array) -> None:
        """Move rows to new memory, with as much room again."""
        *lead, count, width = rows.shape
        self._memory = np.empty((*lead, 2 * count, width), rows.dtype)
        self._memory[..., :count, :] = rows
        self._start, self._end = 0, count
