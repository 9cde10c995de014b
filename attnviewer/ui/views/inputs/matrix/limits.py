"""The smallest and the largest number of a matrix, kept up to date by its edits."""

import numpy as np

from attnviewer.compute import Array

_ROWS = 256


class Limits:
    """The limits of the finite numbers of a matrix.

    They are kept per block of rows, so that an edit only reads its own rows again,
    however large the matrix is.

    Parameters
    ----------
    values : ndarray, shape (rows, columns)
        The matrix.
    """

    def __init__(self, values: Array) -> None:
        blocks = -(-len(values) // _ROWS)
        self._low = np.empty(blocks)
        self._high = np.empty(blocks)
        self.look_at(values, slice(0, len(values)))

    @property
    def ends(self) -> tuple[float, float]:
        """The smallest and the largest number; zeros if none is finite."""
        low, high = float(self._low.min()), float(self._high.max())
        return (low, high) if low <= high else (0.0, 0.0)

    def look_at(self, values: Array, rows: slice) -> None:
        """Read the numbers of some rows again.

        Parameters
        ----------
        values : ndarray, shape (rows, columns)
            The whole matrix as it is now.
        rows : slice
            The rows in which it changed.
        """
        for block in range(rows.start // _ROWS, -(-rows.stop // _ROWS)):
            some = values[block * _ROWS : (block + 1) * _ROWS]
            low, high = some.min(), some.max()
            if not (np.isfinite(low) and np.isfinite(high)):
                finite = np.isfinite(some)
                low = some.min(initial=np.inf, where=finite)
                high = some.max(initial=-np.inf, where=finite)
            self._low[block], self._high[block] = low, high
