"""A tile of weights, and its sums along rows, columns, diagonals and blocks."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from attnviewer.compute.arrays import Array

_AT_ONCE = 64
"""Cells that are summed in the precision of the tile; sums of these are in double."""


@dataclass(frozen=True, slots=True, eq=False)
class TileSums:
    """Sums of the cells of a tile, in double precision.

    Attributes
    ----------
    rows : ndarray, shape (rows,)
    columns : ndarray, shape (keys,)
    diagonals : ndarray, shape (rows + keys,)
        By key − query, counted from −rows.
    blocks : ndarray, shape (rows / block, keys / block)
    """

    rows: Array
    columns: Array
    diagonals: Array
    blocks: Array


class PaddedTile:
    """Memory for one tile after another, with zeros beyond the last row and key.

    The zeros between the rows let the same memory be read with one cell more per row,
    so that its diagonals are columns.

    Parameters
    ----------
    rows, keys : int
        The size of the largest tile; a multiple of the block.
    block : int
        The side of the blocks, a power of two.
    dtype : dtype
        The type of the cells, at least float32.

    Attributes
    ----------
    cells : ndarray, shape (rows, keys)
        The tile.
    skewed : ndarray, shape (rows, rows + keys)
        The same memory; column c holds the cells with key − query = c − rows.
    """

    def __init__(
        self, rows: int, keys: int, block: int, dtype: "np.dtype[Any]"
    ) -> None:
        width = rows + keys
        room = np.zeros((rows + 1, width), np.result_type(dtype, np.float32))
        self.cells: Array = room[:rows, rows:]
        size = room.itemsize
        self.skewed: Array = as_strided(
            room.ravel(), (rows, width), ((width + 1) * size, size)
        )
        self._block = block
        self._few = min(_AT_ONCE, rows)
        self._room: Array = np.empty((self._few, keys), room.dtype)

    def fill(self, tile: Array) -> None:
        """Copy a tile, (≤ rows, ≤ keys); the cells beyond are zero."""
        rows, keys = tile.shape
        self.cells[:rows, :keys] = tile
        self.cells[rows:] = 0
        self.cells[:, keys:] = 0

    def sums(self) -> TileSums:
        """Return all sums."""
        by_block = self._row_sums()  # (rows, keys / block)
        return TileSums(
            by_block.sum(axis=1, dtype=np.float64),
            self._column_sums(self.cells),
            self._column_sums(self.skewed),
            self._pooled(by_block),
        )

    def logarithms(self) -> Array:
        """Return the sums of x · ln x of each row, shape (rows,)."""
        tiny, found = np.finfo(self.cells.dtype).tiny, np.empty(len(self.cells))
        for first in range(0, len(self.cells), self._few):
            cells = self.cells[first : first + self._few]  # (few, keys)
            logs = np.maximum(cells, tiny, out=self._room)
            np.log(logs, out=logs)
            np.einsum("rk,rk->r", cells, logs, out=found[first : first + self._few])
        return found

    def block_sums(self) -> Array:
        """Return the sums of the blocks alone, shape (rows / block, keys / block)."""
        return self._pooled(self._row_sums())

    def _row_sums(self) -> Array:
        """Return the sums of each row's parts of blocks, (rows, keys / block)."""
        rows, keys = self.cells.shape
        parted = self.cells.reshape(rows, keys // self._block, self._block)
        summed: Array = parted @ np.ones(self._block, self.cells.dtype)
        return summed

    def _pooled(self, by_block: Array) -> Array:
        starts = np.arange(0, len(by_block), self._block)
        pooled: Array = np.add.reduceat(by_block, starts, axis=0, dtype=np.float64)
        return pooled

    def _column_sums(self, cells: Array) -> Array:
        rows, width = cells.shape
        down, across = cells.strides
        parts = as_strided(
            cells,
            (rows // self._few, self._few, width),
            (down * self._few, down, across),
        )
        few: Array = np.ones((1, self._few), cells.dtype) @ parts  # (parts, 1, width)
        summed: Array = few.sum(axis=(0, 1), dtype=np.float64)
        return summed
