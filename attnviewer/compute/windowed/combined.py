"""Several matrices as one."""

from collections.abc import Sequence
from functools import reduce
from typing import Literal

import numpy as np

from attnviewer.compute.arrays import ALL, Array, BoolArray
from attnviewer.compute.windowed.base import Windowed
from attnviewer.compute.windowed.step_head import StepHead

Combination = Literal["mean", "max"]


class Combined:
    """The mean or the largest number of each cell of several matrices.

    A cell is hidden where it is hidden in all of them.

    Parameters
    ----------
    matrices : sequence of Windowed
        At least one, all of the same shape.
    how : str
        ``mean`` or ``max``.

    Raises
    ------
    ValueError
        If there is no matrix, or their shapes differ.
    """

    def __init__(self, matrices: Sequence[Windowed], how: Combination) -> None:
        shapes = {matrix.shape for matrix in matrices}
        if len(shapes) != 1:
            raise ValueError(
                "The 'matrices' must be at least one, all of one shape. "
                f"Got {sorted(shapes)} instead."
            )
        self._matrices = tuple(matrices)
        self._how = how

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self._matrices[0].shape

    def window(self, rows: slice = ALL, columns: slice = ALL) -> Array:
        """Return some of the combined numbers, shape (rows, columns)."""
        windows = (matrix.window(rows, columns) for matrix in self._matrices)
        if self._how == "max":
            return reduce(np.maximum, windows)
        # Each divided before the sum, which might overflow.
        count = len(self._matrices)
        total: Array = reduce(np.add, (window / count for window in windows))
        return total  # (rows, columns)

    def hidden(self, rows: slice = ALL, columns: slice = ALL) -> BoolArray | None:
        """Return the cells hidden in all, (rows, columns); None where none can be."""
        parts = [matrix.hidden(rows, columns) for matrix in self._matrices]
        known = [part for part in parts if part is not None]
        return reduce(np.logical_and, known) if len(known) == len(parts) else None

    def pinned(self, rows: slice = ALL, columns: slice = ALL) -> BoolArray | None:
        """Return the cells pinned in any, (rows, columns); None where none can be."""
        parts = [
            matrix.pinned(rows, columns)
            for matrix in self._matrices
            if isinstance(matrix, StepHead)
        ]
        known = [part for part in parts if part is not None]
        return reduce(np.logical_or, known) if known else None
