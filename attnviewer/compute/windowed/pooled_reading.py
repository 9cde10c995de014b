"""A window of a matrix that is pooled while it is read, some rows at a time."""

from typing import TYPE_CHECKING

import numpy as np

from attnviewer.compute.windowed.blocks import Block, Extremes, Means
from attnviewer.compute.windowed.overview import Pooled

if TYPE_CHECKING:
    from attnviewer.compute.arrays import Array, BoolArray
    from attnviewer.compute.pooling import Pooling
    from attnviewer.compute.windowed.base import Windowed

_ROWS = 64
"""The fewest rows that are pooled at a time."""

Cells = tuple[int, int]
"""First row or column, and the one after the last."""


class PooledReading:
    """Reads a window as a picture of it, in as many pieces as its reader likes.

    Parameters
    ----------
    matrix : Windowed
        The matrix, which must not change meanwhile.
    block : tuple of two int
        Rows and columns per number of the picture. Blocks start at the matrix's first
        cell, not at the window's.
    rows, columns : tuple of two int
        The window; it is widened to whole blocks.
    keep : str
        As in `Overview.pooled`.

    Attributes
    ----------
    block : tuple of two int
        As above.
    seen : tuple of two slice
        The cells that are read, inside the matrix.
    """

    def __init__(
        self,
        matrix: "Windowed",
        block: Block,
        rows: Cells,
        columns: Cells,
        keep: "Pooling" = "extreme",
    ) -> None:
        self.block: Block = block
        self._matrix, self._keep = matrix, keep
        down, across = (
            (first // size * size, -(-last // size) * size)
            for (first, last), size in zip((rows, columns), block, strict=True)
        )
        self._rows, self._columns = down, across
        self.seen = (
            slice(down[0], min(down[1], matrix.shape[0])),
            slice(across[0], min(across[1], matrix.shape[1])),
        )
        self._next = down[0]
        self._strips: list[tuple[Array, BoolArray | None]] = []
        self._group: list[tuple[Extremes, Means | None]] = []
        self._grouped = max(1, _ROWS // block[0]) * block[0]

    @property
    def done(self) -> bool:
        """Whether all has been read."""
        return self._next >= self.seen[0].stop

    def read(self, count: int) -> slice:
        """Read up to so many of the next rows, at least one; return which."""
        width, group = self.block[1], self._grouped
        start = self._next - self._filled % group
        stop = min(self._next + max(1, count), start + group, self.seen[0].stop)
        rows = slice(self._next, stop)
        hidden = self._matrix.hidden(rows, self.seen[1])
        if hidden is not None and hidden.all():
            # What a mask hides need not be computed.
            values: Array = np.full(hidden.shape, -np.inf, np.float32)
        else:
            values = self._matrix.window(rows, self.seen[1])  # (rows, columns)
        self._next = stop
        if self.block == (1, 1):
            self._strips.append((values, hidden))
            return rows
        means = Means.of(values, hidden, (1, width)) if self._keep == "mean" else None
        self._group.append((Extremes.of(values, hidden, (1, width)), means))
        if self.done or self._filled % self._grouped == 0:
            self._pool()
        return rows

    @property
    def _filled(self) -> int:
        """The number of rows that have been read."""
        return self._next - self._rows[0]

    def _pool(self) -> None:
        """Pool the rows that have been read since the last time, of whole blocks."""
        group, self._group = self._group, []
        parts = [extremes for extremes, _ in group]
        extremes = Extremes.joined(parts).pooled((self.block[0], 1))  # (blocks, blocks)
        kept = [means for _, means in group if means is not None]
        if kept:
            means = Means.joined(kept).pooled((self.block[0], 1))
            values = means.values(extremes.flags)
        else:
            values = extremes.furthest()
        self._strips.append((values, extremes.hidden()))

    def picture(self) -> Pooled:
        """Return the picture, once all has been read."""
        values = np.concatenate([strip for strip, _ in self._strips])
        hidden = None
        if any(strip is not None for _, strip in self._strips):
            hidden = np.concatenate(
                [
                    np.zeros(strip.shape, bool) if away is None else away
                    for strip, away in self._strips
                ]
            )
        return Pooled(values, hidden, self._rows, self._columns, self.block)
