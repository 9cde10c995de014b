"""The difference of two matrices."""

import numpy as np

from attnviewer.compute.arrays import ALL, Array, BoolArray
from attnviewer.compute.windowed.base import Windowed
from attnviewer.compute.windowed.folded import Folded
from attnviewer.compute.windowed.in_memory import InMemory
from attnviewer.compute.windowed.step_head import StepHead


class Subtraction:
    """B − A of two matrices of the same shape.

    Cells that hold the same number, including ±inf and NaN, differ by 0. Only a cell
    that is hidden in both is hidden.

    Parameters
    ----------
    after, before : Windowed
        B and A.
    tolerance : float
        Numbers that differ by no more count as equal, as they may have been computed
        in another order.

    Raises
    ------
    ValueError
        If their shapes differ.
    """

    def __init__(
        self, after: Windowed, before: Windowed, tolerance: float = 0.0
    ) -> None:
        if after.shape != before.shape:
            raise ValueError(
                f"The 'before' matrix must have shape {after.shape}. "
                f"Got {before.shape} instead."
            )
        self._after, self._before = after, before
        self._tolerance = tolerance

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self._after.shape

    def window(self, rows: slice = ALL, columns: slice = ALL) -> Array:
        """Return some of the differences, shape (rows, columns)."""
        after = self._after.window(rows, columns)  # (rows, columns)
        before = self._before.window(rows, columns)  # (rows, columns)
        return difference(after, before, self._tolerance)

    def hidden(self, rows: slice = ALL, columns: slice = ALL) -> BoolArray | None:
        """Return the cells hidden in both, (rows, columns); None where none can be."""
        after = self._after.hidden(rows, columns)
        before = self._before.hidden(rows, columns)
        return None if after is None or before is None else after & before

    def pinned(self, rows: slice = ALL, columns: slice = ALL) -> BoolArray | None:
        """Return the cells pinned in B, (rows, columns); None where none can be."""
        after = self._after
        if isinstance(after, StepHead | Folded | InMemory):
            return after.pinned(rows, columns)
        return None


def difference(after: Array, before: Array, tolerance: float = 0.0) -> Array:
    """Return B − A of two arrays of the same shape, see `Subtraction`.

    A mask's True and False count as 1 and 0.
    """
    same = (after == before) | (np.isnan(after) & np.isnan(before))
    # NumPy does not subtract bools.
    dtype = np.result_type(after, before, np.float16)
    with np.errstate(all="ignore"):
        change: Array = np.subtract(after, before, dtype=dtype)
        if tolerance:
            same |= np.abs(change) <= tolerance
    change[same] = 0
    return change
