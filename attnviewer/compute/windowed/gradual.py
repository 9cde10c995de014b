"""A matrix as a picture, drawn up in steps that are short."""

import numpy as np

from attnviewer.compute.windowed.base import Windowed
from attnviewer.compute.windowed.blocks import SEEN, Extremes
from attnviewer.compute.windowed.overview import Pooled

AT_ONCE = 2**18
"""Cells that are read in one step: a few milliseconds' work."""


class GradualPicture:
    """Pools a matrix strip by strip, so that whoever waits for it can do other things.

    Of each block of cells the number furthest from zero is kept, as `Overview` does.

    Parameters
    ----------
    matrix : Windowed
        The matrix.
    height, width : int
        The most rows and columns of the picture.
    """

    def __init__(self, matrix: Windowed, height: int, width: int) -> None:
        rows, columns = matrix.shape
        self._matrix = matrix
        self._block = -(-rows // height), -(-columns // width)
        strips = max(1, AT_ONCE // (self._block[0] * columns))
        self._step = strips * self._block[0]
        self._next = 0
        self._parts: list[Extremes] = []

    @property
    def done(self) -> bool:
        """Whether the whole matrix has been read."""
        return self._next >= self._matrix.shape[0]

    def advance(self) -> None:
        """Read the next strip."""
        rows = slice(self._next, min(self._next + self._step, self._matrix.shape[0]))
        values = self._matrix.window(rows)  # (rows, columns)
        hidden = self._matrix.hidden(rows)
        self._parts.append(Extremes.of(values, hidden, self._block))
        self._next = rows.stop

    def picture(self) -> Pooled:
        """Return what was read."""
        values = np.concatenate([part.furthest() for part in self._parts])
        hidden = np.concatenate([part.flags & SEEN == 0 for part in self._parts])
        (down, across), (rows, columns) = self._block, values.shape
        return Pooled(
            values,
            hidden if hidden.any() else None,
            (0, rows * down),
            (0, columns * across),
            self._block,
        )
