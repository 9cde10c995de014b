"""A matrix as a picture, drawn up in steps that are short."""

import numpy as np

from attnviewer.compute.arrays import Array, BoolArray
from attnviewer.compute.windowed.base import Windowed
from attnviewer.compute.windowed.blocks import SEEN, Extremes, Means
from attnviewer.compute.windowed.overview import Keep, Pooled

AT_ONCE = 2**18
"""Cells that are read in one step: a few milliseconds' work."""


class GradualPicture:
    """Pools a matrix strip by strip, so that whoever waits for it can do other things.

    What is kept of each block of cells is the same as of an `Overview`.

    Parameters
    ----------
    matrix : Windowed
        The matrix.
    height, width : int
        The most rows and columns of the picture.
    keep : str
        ``extreme`` or ``mean``, see `Overview.pooled`.
    """

    def __init__(
        self, matrix: Windowed, height: int, width: int, keep: Keep = "extreme"
    ) -> None:
        rows, columns = matrix.shape
        self._matrix, self._keep = matrix, keep
        self._block = -(-rows // height), -(-columns // width)
        strips = max(1, AT_ONCE // (self._block[0] * columns))
        self._step = strips * self._block[0]
        self._next = 0
        self._parts: list[tuple[Array, BoolArray]] = []

    @property
    def done(self) -> bool:
        """Whether the whole matrix has been read."""
        return self._next >= self._matrix.shape[0]

    def advance(self) -> None:
        """Read the next strip."""
        rows = slice(self._next, min(self._next + self._step, self._matrix.shape[0]))
        values = self._matrix.window(rows)  # (rows, columns)
        hidden = self._matrix.hidden(rows)
        self._parts.append(self._pool(values, hidden))
        self._next = rows.stop

    def picture(self) -> Pooled:
        """Return what was read."""
        values = np.concatenate([values for values, _ in self._parts])
        hidden = np.concatenate([hidden for _, hidden in self._parts])
        (down, across), (rows, columns) = self._block, values.shape
        return Pooled(
            values,
            hidden if hidden.any() else None,
            (0, rows * down),
            (0, columns * across),
            self._block,
        )

    def _pool(self, values: Array, hidden: BoolArray | None) -> tuple[Array, BoolArray]:
        """Return a number per block, and which blocks are hidden as a whole."""
        extremes = Extremes.of(values, hidden, self._block)
        all_hidden = extremes.flags & SEEN == 0
        if self._keep == "extreme":
            return extremes.furthest(), all_hidden
        means = Means.of(values, hidden, self._block)
        return means.values(extremes.flags), all_hidden
