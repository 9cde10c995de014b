"""Sums over the rows, keys, offsets and blocks of a head's weights."""

from dataclasses import dataclass

import numpy as np

from attnviewer.compute.arrays import Array
from attnviewer.compute.patterns.padded_tile import TileSums

SINKS = (1, 2, 4, 8, 16, 32, 64)
"""How many first keys a streaming pattern may keep, besides none."""


@dataclass(frozen=True, slots=True, eq=False)
class Sums:
    """Sums of the cells of some queries, or of all.

    Attributes
    ----------
    rows : ndarray, shape (queries,)
        Of each query.
    keys : ndarray, shape (n_k,)
        Of each key.
    offsets : ndarray, shape (n_q + n_k - 1,)
        Of each offset from query to key, the smallest first, that of row 0 to the
        last key.
    sinks : ndarray, shape (7, n_q + n_k - 1)
        The same of the first keys: the first, the second, the next two, the next four
        and so on, as in `SINKS`.
    blocks : ndarray, shape (rows of blocks, columns of blocks)
        Of each block.
    """

    rows: Array
    keys: Array
    offsets: Array
    sinks: Array
    blocks: Array

    @staticmethod
    def zeros(n_q: int, n_k: int, block: int) -> "Sums":
        """Return sums of nothing."""
        n_offsets = n_q + n_k - 1
        return Sums(
            np.zeros(n_q),
            np.zeros(n_k),
            np.zeros(n_offsets),
            np.zeros((len(SINKS), n_offsets)),
            np.zeros((-(-n_q // block), -(-n_k // block))),
        )


class Counting:
    """Sums of the cells of some queries, to which tiles are added.

    Only the keys and offsets that were reached take memory.

    Parameters
    ----------
    rows : slice
        The queries; the first is a multiple of the block.
    span : slice
        The keys that tiles may have; the first is a multiple of the block.
    n_k : int
        The number of keys.
    block : int
        The side of the blocks.
    """

    def __init__(self, rows: slice, span: slice, n_k: int, block: int) -> None:
        self._rows, self._span, self._block = rows, span, block
        n_rows, n_keys = rows.stop - rows.start, span.stop - span.start
        # Of the row r and the key k, the offset is that of place r − k + n_k − 1.
        self._first_offset = rows.start - span.stop + n_k
        counts = -(-n_rows // block), -(-n_keys // block)
        self._of_rows = np.zeros(n_rows)
        self._of_keys = np.zeros(n_keys)
        self._of_offsets = np.zeros(n_rows + n_keys - 1)
        self._of_blocks = np.zeros(counts)
        few = min(n_k, SINKS[-1])
        self._of_sinks = np.zeros((len(SINKS), n_rows + few - 1))
        self._first_sink_offset = rows.start - few + n_k

    def add(self, keys: slice, cells: Array, found: TileSums) -> None:
        """Add the cells of a tile.

        Parameters
        ----------
        keys : slice
            Its keys.
        cells : ndarray, shape (rows, keys)
            The cells.
        found : TileSums
            Their sums.
        """
        n_rows, n_keys = len(self._of_rows), keys.stop - keys.start
        first = keys.start - self._span.start
        self._of_rows += found.rows[:n_rows]
        self._of_keys[first : first + n_keys] += found.columns[:n_keys]
        # Diagonals come by key − query, offsets by query − key.
        height = len(found.rows)
        few = found.diagonals[height - n_rows + 1 : height + n_keys][::-1]
        start = len(self._of_keys) - first - n_keys
        self._of_offsets[start : start + n_rows + n_keys - 1] += few
        column, block = first // self._block, -(-n_keys // self._block)
        self._of_blocks[:, column : column + block] += found.blocks[
            : len(self._of_blocks), :block
        ]
        if keys.start == 0:
            self._add_sinks(cells[:, : SINKS[-1]])

    def _add_sinks(self, cells: Array) -> None:
        """Add the cells of the first keys, (rows, keys)."""
        n_rows, last = len(cells), self._of_sinks.shape[1] - len(cells)
        for key, column in enumerate(cells.T):
            group = key.bit_length()  # 0; 1; 2 and 3; 4 to 7; ...
            self._of_sinks[group, last - key : last - key + n_rows] += column

    def add_to(self, sums: Sums) -> None:
        """Add all to the sums of all queries."""
        block, (down, across) = self._block, self._of_blocks.shape
        row, column = self._rows.start // block, self._span.start // block
        sums.rows[self._rows] += self._of_rows
        sums.keys[self._span] += self._of_keys
        first = self._first_offset
        sums.offsets[first : first + len(self._of_offsets)] += self._of_offsets
        sums.blocks[row : row + down, column : column + across] += self._of_blocks
        first = self._first_sink_offset
        sums.sinks[:, first : first + self._of_sinks.shape[1]] += self._of_sinks
