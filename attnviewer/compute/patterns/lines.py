"""The cells of vertical keys and slashes, and what they leave of the other sets.

Which keys, offsets and blocks form a set is known after the pass over all weights. Of
the cells that several sets hold, all lie in sets that were known before it or on these
few lines, which are read again.
"""

from dataclasses import dataclass

import numpy as np

from attnviewer.compute.arrays import Array, BoolArray, IndexArray
from attnviewer.compute.patterns.known_sets import KnownSums
from attnviewer.compute.patterns.marginals import Marginals
from attnviewer.compute.patterns.one_pass import DONE
from attnviewer.compute.patterns.ranges import in_ranges
from attnviewer.compute.patterns.reader import TileReader, columns, row_parts
from attnviewer.compute.patterns.repeats import Repeats
from attnviewer.compute.patterns.running import Run, reporting
from attnviewer.compute.progress import Progress
from attnviewer.compute.windowed.strips import strips

SETS = "sinks", "local", "vertical", "slash", "repeated", "blocks", "rest"
"""The sets, in the order in which they take their cells."""
_FEW = 64
"""Queries whose slashes are read by one call, which reads the keys of all of them: with
more queries, more cells are wasted, with fewer, more calls (measured)."""


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


_Crossed = tuple[IndexArray, IndexArray, Array, BoolArray]
"""Places of keys and of offsets, the weights where they meet, and which are visible."""


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """What lies on the lines of a block of queries: (lines, repeated/blocks/rest)."""

    shared: Array
    crossings: _Crossed


@dataclass(frozen=True, eq=False)
class Lines:
    """Reads vertical keys and slashes of some queries; can be sent elsewhere.

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
        seen = self.reader.reach(rows)
        keys = np.union1d(self.keys, self.crossed_keys)
        keys = keys[slice(*np.searchsorted(keys, (seen.start, seen.stop)))]
        cells, hidden = self._read(rows, keys)
        shared = self._vertical(rows, keys, cells), self._slashes(rows, seen)
        return _Found(np.array(shared), self._crossings(rows, keys, cells, hidden))

    def _read(self, rows: slice, keys: IndexArray) -> tuple[Array, BoolArray | None]:
        """Return the sizes of the weights of some keys, and which a mask hides."""
        cells, hidden = columns(self.reader, rows, keys)
        cells = np.abs(cells)  # (rows, keys)
        cells[self.marked[rows]] = 0
        return cells, hidden

    def _positions(self, rows: slice) -> IndexArray:
        """Return the positions of queries among the keys, shape (rows, 1)."""
        return np.arange(rows.start, rows.stop)[:, np.newaxis] + self.query_offset

    def _vertical(self, rows: slice, keys: IndexArray, cells: Array) -> Array:
        """Return the attention to vertical keys outside of sinks and local band."""
        places = np.flatnonzero(np.isin(keys, self.keys))
        away = np.abs(self._positions(rows) - keys[places])  # (rows, places)
        down, few = np.nonzero(away >= self.window)
        across = places[few]
        return self._shared(rows.start + down, keys[across], cells[down, across])

    def _slashes(self, rows: slice, seen: slice) -> Array:
        """Return the attention to slashes outside of the sets before."""
        every = self._positions(rows) - self.offsets  # (rows, offsets)
        own = (every >= max(self.sinks, seen.start)) & (every < seen.stop)
        own &= ~np.isin(every, self.keys)
        queries, keys = rows.start + np.nonzero(own)[0], every[own]  # (cells,) each
        weights = np.zeros(len(keys))
        for few in strips(rows, _FEW):
            part = slice(*np.searchsorted(queries, (few.start, few.stop)))
            read = np.unique(keys[part])
            cells, _ = self._read(few, read)  # (few, read)
            down, across = queries[part] - few.start, np.searchsorted(read, keys[part])
            weights[part] = cells[down, across]
        return self._shared(queries, keys, weights)

    def _shared(self, queries: IndexArray, keys: IndexArray, weights: Array) -> Array:
        """Return the attention to cells that are also repeated, in blocks, or neither.

        Parameters
        ----------
        queries, keys : ndarray of intp, shape (cells,)
            The cells.
        weights : ndarray, shape (cells,)
            Their weights.

        Returns
        -------
        ndarray, shape (3,)
            The sums.
        """
        chosen = self.blocks[queries // self.block, keys // self.block]
        sets = np.where(chosen, 1, 2)
        if self.repeats is not None:
            sets[self.repeats.holds(queries, keys)] = 0
        return np.bincount(sets, weights, 3).astype(np.float64)

    def _crossings(
        self, rows: slice, keys: IndexArray, cells: Array, hidden: BoolArray | None
    ) -> _Crossed:
        """Return the crossings of some queries."""
        by_key = np.argsort(self.crossed_keys)
        by_offset = np.argsort(self.crossed_offsets)
        offsets = self.crossed_offsets[by_offset]
        by_key = by_key[np.isin(self.crossed_keys[by_key], keys)]
        own = self.crossed_keys[by_key]  # (crossed keys in reach,)
        lowest = rows.start + self.query_offset - own
        starts = np.searchsorted(offsets, lowest)
        counts = np.searchsorted(offsets, lowest + len(cells)) - starts
        places = in_ranges(starts, counts)
        down = offsets[places] - np.repeat(lowest, counts)  # (crossings,)
        across = np.repeat(np.searchsorted(keys, own), counts)
        visible = ~self.marked[rows][down]
        if hidden is not None:
            visible &= ~hidden[down, across]
        weights = cells[down, across].astype(np.float64)
        return np.repeat(by_key, counts), by_offset[places], weights, visible


def divided(
    reader: TileReader,
    marginals: Marginals,
    known: KnownSums,
    repeats: Repeats | None,
    run: Run,
    progress: Progress | None,
) -> tuple[Lines, Array, Crossings]:
    """Divide all attention among the sets; only the lines are read.

    Returns
    -------
    lines : Lines
        The sets.
    attention : ndarray, shape (7,)
        The attention to each of `SETS`, whose cells are no others'.
    crossings : Crossings
        Where vertical keys and slashes meet.
    """
    sizes = marginals.sizes
    lines = Lines(
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
    shape = len(lines.crossed_keys), len(lines.crossed_offsets)
    attention, visible = np.zeros(shape), np.zeros(shape, bool)
    shared = np.zeros((2, 3))
    parts = row_parts(reader)
    for found in reporting(run(lines, parts), len(parts), progress, DONE, 1.0):
        shared += found.shared
        keys, offsets, weights, seen = found.crossings
        attention[keys, offsets], visible[keys, offsets] = weights, seen
    chosen, others = (known.blocks[own].sum() for own in (lines.blocks, ~lines.blocks))
    left = np.array([known.repeated, chosen, others]) - shared.sum(axis=0)
    # Where little or nothing is left, rounding may give less than that.
    taken = np.array([known.sinks, known.local, *shared.sum(axis=1), *left.clip(0)])
    crossings = Crossings(lines.crossed_keys, lines.crossed_offsets, attention, visible)
    return lines, taken, crossings
