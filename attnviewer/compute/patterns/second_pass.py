"""The second pass over a head's weights: which set each cell belongs to."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from attnviewer.compute.arrays import Array, BoolArray, IndexArray
from attnviewer.compute.patterns.band import band
from attnviewer.compute.patterns.first_pass import padded_tile
from attnviewer.compute.patterns.marginals import Marginals
from attnviewer.compute.patterns.padded_tile import PaddedTile
from attnviewer.compute.patterns.reader import (
    TileReader,
    hidden_cells,
    row_parts,
    tiles,
)
from attnviewer.compute.patterns.repeats import Repeats
from attnviewer.compute.patterns.running import Run, reporting
from attnviewer.compute.progress import Progress

SETS = "sinks", "local", "vertical", "slash", "repeated", "blocks", "rest"
"""The sets, in the order in which they take their cells."""


@dataclass(frozen=True, eq=False)
class Crossings:
    """The cells in which a vertical key meets a slash.

    Attributes
    ----------
    keys, offsets : ndarray of intp, shapes (k,) and (s,)
        Those that receive the most first.
    attention : ndarray, shape (k, s)
        The weight of each cell; 0 where there is none.
    visible : ndarray of bool, shape (k, s)
        Whether there is such a cell, and no mask hides it.
    """

    keys: IndexArray
    offsets: IndexArray
    attention: Array
    visible: BoolArray


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """The sums of a block of queries."""

    shares: Array
    repeated: float
    keys: IndexArray
    offsets: IndexArray
    attention: Array
    visible: BoolArray


@dataclass(frozen=True, eq=False)
class SecondPass:
    """Divides the weights of some queries among the sets; can be sent elsewhere.

    Parameters
    ----------
    reader : TileReader
        The weights.
    query_offset : int
        Position of the first query among the keys.
    sinks, window : int
        The sizes of these sets.
    keys, offsets : ndarray of intp
        The vertical keys and the slashes.
    block : int
        The side of the blocks.
    blocks : ndarray of bool, shape (rows of blocks, columns of blocks)
        The blocks that form a set.
    marked : ndarray of bool, shape (n_q,)
        Rows that are left out.
    repeats : Repeats or None
        Where tokens are repeated; None without tokens.
    crossed_keys, crossed_offsets : ndarray of intp
        The keys and offsets of which the crossings are read.
    """

    reader: TileReader
    query_offset: int
    sinks: int
    window: int
    keys: IndexArray
    offsets: IndexArray
    block: int
    blocks: BoolArray
    marked: BoolArray
    repeats: Repeats | None
    crossed_keys: IndexArray
    crossed_offsets: IndexArray

    def __call__(self, rows: slice) -> _Found:
        """Return what some queries add."""
        shares, repeated = np.zeros(len(SETS)), 0.0
        crossed: list[tuple[Array, ...]] = []
        tile: PaddedTile | None = None
        marked = self.marked[rows]
        for keys, cells in tiles(self.reader, rows):
            if tile is None:
                tile = padded_tile(self.reader, self.block, cells.dtype)
            tile.fill(cells)
            inner = tile.cells[: len(cells), : cells.shape[1]]  # (rows, keys)
            inner[marked] = 0
            if inner.min() < 0:
                np.abs(inner, out=inner)
            hidden = hidden_cells(self.reader, rows, keys, cells)
            crossed.append(self._crossings(inner, hidden, rows, keys, marked))
            again = None
            if self.repeats is not None:
                again = self.repeats.cells(rows, keys)
                repeated += _sum(inner[again])
            shares += self._divide(tile, inner, rows, keys, again)
        joined = [np.concatenate(parts) for parts in zip(*crossed, strict=True)]
        return _Found(shares, repeated, *joined)

    def _divide(
        self,
        tile: PaddedTile,
        cells: Array,
        rows: slice,
        keys: slice,
        again: tuple[IndexArray, IndexArray] | None,
    ) -> Array:
        """Return the attention of a tile to each set; the tile is used up."""
        shares = np.zeros(len(SETS))
        if keys.start < self.sinks:
            shares[0] = _take(cells, np.s_[:, : self.sinks - keys.start])
        near = band(rows, keys, self.query_offset, self.window)
        if near is not None:
            shares[1] = _take(cells, near)
        within = (self.keys >= keys.start) & (self.keys < keys.stop)
        if within.any():
            shares[2] = _take(cells, np.s_[:, self.keys[within] - keys.start])
        first = rows.start + self.query_offset - keys.start
        diagonals = len(tile.cells) + first - self.offsets
        places = diagonals[(diagonals > 0) & (diagonals < tile.skewed.shape[1])]
        if places.size:
            shares[3] = _take(tile.skewed, np.s_[:, places])
        if again is not None:
            shares[4] = _take(cells, again)
        sums = tile.block_sums()
        down, across = rows.start // self.block, keys.start // self.block
        chosen = self.blocks[down:, across:][: len(sums), : sums.shape[1]]
        sums = sums[: len(chosen), : chosen.shape[1]]
        shares[5] = sums[chosen].sum()
        shares[6] = sums[~chosen].sum()
        return shares

    def _crossings(
        self,
        cells: Array,
        hidden: BoolArray | None,
        rows: slice,
        keys: slice,
        marked: BoolArray,
    ) -> tuple[Array, ...]:
        """Return the crossings in a tile: places of key and offset, weight, visible."""
        by_key = np.argsort(self.crossed_keys)
        by_offset = np.argsort(self.crossed_offsets)
        offsets = self.crossed_offsets[by_offset]
        columns = self.crossed_keys[by_key]
        of_keys = by_key[slice(*np.searchsorted(columns, (keys.start, keys.stop)))]
        columns = self.crossed_keys[of_keys] - keys.start  # (few keys,)
        lowest = rows.start + self.query_offset - keys.start - columns
        starts = np.searchsorted(offsets, lowest)
        counts = np.searchsorted(offsets, lowest + len(cells)) - starts
        ends = counts.cumsum()
        total = int(counts.sum())
        places = np.arange(total) + np.repeat(starts - ends + counts, counts)
        down = offsets[places] - np.repeat(lowest, counts)  # (crossings,)
        across = np.repeat(columns, counts)
        seen = ~marked[down]
        if hidden is not None:
            seen &= ~hidden[down, across]
        weights = cells[down, across].astype(np.float64)
        return np.repeat(of_keys, counts), by_offset[places], weights, seen


def _sum(cells: Array) -> float:
    return float(cells.sum(dtype=np.float64))


def _take(cells: Array, part: Any) -> float:
    """Return the sum of some cells, and set them to zero."""
    taken = _sum(cells[part])
    cells[part] = 0
    return taken


def second_pass(
    reader: TileReader,
    marginals: Marginals,
    repeats: Repeats | None,
    run: Run,
    progress: Progress | None,
) -> tuple[SecondPass, Array, float, Crossings]:
    """Read all weights again.

    Returns
    -------
    sets : SecondPass
        The sets.
    attention : ndarray, shape (7,)
        The attention to each of `SETS`, whose cells are no others'.
    repeated : float
        The attention to all keys after an earlier occurrence of the query's token.
    crossings : Crossings
        Where vertical keys and slashes meet.
    """
    sizes = marginals.sizes
    sets = SecondPass(
        reader,
        marginals.query_offset,
        sizes.sinks,
        sizes.window,
        marginals.top_keys(sizes.keys, sizes.sinks),
        marginals.top_offsets(sizes.offsets, sizes.window),
        sizes.block,
        marginals.top_blocks(sizes.blocks),
        marginals.marked,
        repeats,
        marginals.top_keys(sizes.lines),
        marginals.top_offsets(sizes.lines),
    )
    shape = len(sets.crossed_keys), len(sets.crossed_offsets)
    shares, repeated = np.zeros(len(SETS)), 0.0
    attention, visible = np.zeros(shape), np.zeros(shape, bool)
    parts = row_parts(reader)
    for found in reporting(run(sets, parts), len(parts), progress, 0.5, 1.0):
        shares += found.shares
        repeated += found.repeated
        attention[found.keys, found.offsets] = found.attention
        visible[found.keys, found.offsets] = found.visible
    crossings = Crossings(sets.crossed_keys, sets.crossed_offsets, attention, visible)
    return sets, shares, repeated, crossings
