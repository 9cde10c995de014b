"""Which cells of a step are shown, and which are dimmed."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from attnviewer.compute import Array, BoolArray


@dataclass(frozen=True, slots=True)
class AtLeast:
    """Cells as far from zero as a threshold, or further; NaN and ±inf among them.

    Parameters
    ----------
    threshold : float
        Not negative.
    """

    threshold: float

    def floors(self, rows: Array) -> Array:
        """Return from where on cells of each row are shown, shape (rows,)."""
        return np.full(rows.shape[0], self.threshold)

    def shows(self, values: Array, floors: Array) -> BoolArray:
        """Tell which cells are shown, shape (rows, columns)."""
        # Written so that NaN, which is no small number, is shown.
        shown: BoolArray = ~(np.abs(values) < floors[:, np.newaxis])
        return shown


@dataclass(frozen=True, slots=True)
class Largest:
    """The largest numbers of each row, with all that equal the last of them.

    Parameters
    ----------
    count : int
        How many, at least 1.
    """

    count: int

    def floors(self, rows: Array) -> Array:
        """Return from where on cells of each row are shown, shape (rows,).

        Parameters
        ----------
        rows : ndarray, shape (rows, columns)
            Whole rows; NaN counts as largest.
        """
        columns = rows.shape[1]
        if self.count >= columns:
            return np.full(rows.shape[0], -np.inf)
        place = columns - self.count
        floors: Array = np.partition(rows, place, axis=1)[:, place]  # (rows,)
        return floors

    def shows(self, values: Array, floors: Array) -> BoolArray:
        """Tell which cells are shown, shape (rows, columns)."""
        # −inf is no number among the largest, unless whole rows are shown.
        shown: BoolArray = ~(values < floors[:, np.newaxis])
        return shown


Filter: TypeAlias = AtLeast | Largest
