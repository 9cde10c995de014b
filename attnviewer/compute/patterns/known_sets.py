"""The sets of cells that are known before any weight is read."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from attnviewer.compute.arrays import Array, IndexArray
from attnviewer.compute.patterns.band import band
from attnviewer.compute.patterns.repeats import Repeats
from attnviewer.compute.patterns.sizes import SetSizes

Cells = tuple[IndexArray, IndexArray]
"""Rows and columns, within a tile."""


@dataclass(slots=True, eq=False)
class KnownSums:
    """The attention to sinks, local band and repeated tokens, and outside of them.

    Attributes
    ----------
    sinks, local, repeated : float
        The attention to each set, without the sets before.
    repeated_near : float
        That to repeated tokens which are sinks or in the local band.
    blocks : ndarray, shape (rows of blocks, columns of blocks)
        The attention to what is left of each block.
    """

    sinks: float
    local: float
    repeated: float
    repeated_near: float
    blocks: Array

    @staticmethod
    def zeros(n_q: int, n_k: int, block: int) -> "KnownSums":
        """Return sums of nothing."""
        blocks = np.zeros((-(-n_q // block), -(-n_k // block)))
        return KnownSums(0.0, 0.0, 0.0, 0.0, blocks)

    def add(self, other: "KnownSums", row: int, column: int) -> None:
        """Add those of some queries, whose blocks begin in a row and a column."""
        self.sinks += other.sinks
        self.local += other.local
        self.repeated += other.repeated
        self.repeated_near += other.repeated_near
        down, across = other.blocks.shape
        self.blocks[row : row + down, column : column + across] += other.blocks


class KnownSets:
    """Takes the cells of known sets out of the tiles of some queries.

    Parameters
    ----------
    rows, span : slice
        The queries, and the keys that tiles may have.
    query_offset : int
        Position of the first query among the keys.
    sizes : SetSizes
        The sizes of the sets.
    repeats : Repeats or None
        Where tokens are repeated; None without tokens.

    Attributes
    ----------
    sums : KnownSums
        The sums of the tiles so far.
    """

    def __init__(
        self,
        rows: slice,
        span: slice,
        query_offset: int,
        sizes: SetSizes,
        repeats: Repeats | None,
    ) -> None:
        self._rows, self._span = rows, span
        self._query_offset, self._sizes, self._repeats = query_offset, sizes, repeats
        n_rows, n_keys = rows.stop - rows.start, span.stop - span.start
        self.sums = KnownSums.zeros(n_rows, n_keys, sizes.block)

    def repeated(self, keys: slice) -> Cells | None:
        """Return which cells of a tile are repeated; None for none."""
        if self._repeats is None:
            return None
        again = self._repeats.cells(self._rows, keys)
        return again if again[0].size else None

    def take_near(self, keys: slice, cells: Array, again: Cells | None) -> bool:
        """Set sinks and local band of a tile to zero; return whether it has any."""
        n_sinks = self._sizes.sinks - keys.start
        near = band(self._rows, keys, self._query_offset, self._sizes.window)
        if n_sinks <= 0 and near is None:
            return False
        before = 0.0 if again is None else _sum(cells[again])
        if n_sinks > 0:
            self.sums.sinks += _take(cells, np.s_[:, :n_sinks])
        if near is not None:
            self.sums.local += _take(cells, near)
        after = 0.0 if again is None else _sum(cells[again])
        self.sums.repeated_near += before - after
        return True

    def take_repeated(self, cells: Array, again: Cells | None) -> bool:
        """Set the repeated cells of a tile to zero; return whether it has any."""
        if again is None:
            return False
        self.sums.repeated += _take(cells, again)
        return True

    def add_blocks(self, keys: slice, blocks: Array) -> None:
        """Add the sums of what is left of the blocks of a tile, or more of zeros."""
        block = self._sizes.block
        first = (keys.start - self._span.start) // block
        own = self.sums.blocks[:, first : first + -(-(keys.stop - keys.start) // block)]
        own += blocks[: own.shape[0], : own.shape[1]]


def _sum(cells: Array) -> float:
    return float(cells.sum(dtype=np.float64))


def _take(cells: Array, part: Any) -> float:
    """Return the sum of some cells, and set them to zero."""
    taken = _sum(cells[part])
    cells[part] = 0
    return taken
