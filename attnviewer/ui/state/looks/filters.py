"""Filters: which cells of a step are shown, and which are dimmed."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from attnviewer.compute import Array, BoolArray


@dataclass(frozen=True, slots=True)
class AtLeast:
    """Cells whose magnitude is at least a threshold, NaN and ±inf included.

    Parameters
    ----------
    threshold : float
        Not negative.
    """

    threshold: float

    def floors(self, rows: Array) -> Array:
        """Return the threshold of each row, shape (rows,)."""
        return np.full(rows.shape[0], self.threshold)

    def shows(self, values: Array, floors: Array) -> BoolArray:
        """Tell which cells are shown, shape (rows, columns)."""
        # Written so that NaN is shown.
        shown: BoolArray = ~(np.abs(values) < floors[:, np.newaxis])
        return shown


@dataclass(frozen=True, slots=True)
class Largest:
    """The largest numbers of each row, ties with the last of them included.

    Parameters
    ----------
    count : int
        How many, at least 1.
    """

    count: int

    def floors(self, rows: Array) -> Array:
        """Return the threshold of each row, shape (rows,).

        Parameters
        ----------
        rows : ndarray, shape (rows, columns)
            Whole rows; NaN counts as largest.
        """
        columns = rows.shape[1]
        if self.count >= columns:
            return np.full(rows.shape[0], -np.inf)
        index = columns - self.count
        floors: Array = np.partition(rows, index, axis=1)[:, index]  # (rows,)
        return floors

    def shows(self, values: Array, floors: Array) -> BoolArray:
        """Tell which cells are shown, shape (rows, columns)."""
        # −inf never counts among the largest, unless whole rows are shown.
        shown: BoolArray = ~(values < floors[:, np.newaxis])
        return shown


Filter: TypeAlias = AtLeast | Largest
