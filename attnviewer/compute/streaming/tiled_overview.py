"""The overview of a step of the scores, computed tile by tile."""

from collections.abc import Iterator
from typing import TypeVar

import numpy as np

from attnviewer.compute.arrays import (
    ALL,
    Array,
    BoolArray,
    Index,
    IndexArray,
    Part,
    Selection,
    count,
)
from attnviewer.compute.scores import Scores
from attnviewer.compute.streaming.tiled_rows import (
    QUERIES,
    ends,
    keys_at_once,
    keys_major,
    room_for,
)
from attnviewer.compute.threads import in_threads, one_blas_thread
from attnviewer.compute.windowed.blocks import SEEN, Extremes
from attnviewer.compute.windowed.overview import MOST
from attnviewer.compute.windowed.sketched import Sampled, SketchedOverview
from attnviewer.compute.windowed.strips import strips

_SHARES = 4
"""The part of the remaining rows that a thread takes at most."""

_Cells = TypeVar("_Cells", Array, BoolArray)


class TiledOverview(SketchedOverview):
    """The overview of one head of a step from the scores to the one normalised.

    Parts that a mask hides entirely are not computed.

    Parameters
    ----------
    matrix : Sampled
        The step, from which means are read.
    scores : Scores
        The scores.
    step : str
        One of its steps.
    lead : tuple of int
        Batch item and head.
    masked : bool
        Whether cells of the step may be hidden.
    most, read
        As in `SketchedOverview`.
    """

    _rows_at_once = QUERIES
    _cells_at_once = 2**27

    def __init__(
        self,
        matrix: Sampled,
        scores: Scores,
        step: str,
        lead: Index,
        most: int | tuple[int, int] = MOST,
        *,
        masked: bool,
        read: bool = True,
    ) -> None:
        self._scores, self._step, self._lead = scores, step, lead
        self._masked = masked
        super().__init__(matrix, most, read=read)

    def _sample(self, rows: IndexArray, columns: slice) -> None:
        self._replace(rows, columns, self._middle(rows), 1)

    def _pool(self, rows: slice, columns: slice, *, extremes: bool = True) -> None:
        if self._means is not None:
            super()._pool(rows, columns, extremes=False)
        if not extremes:
            return
        height, width = self.block
        few = list(_shares(rows, QUERIES // height))
        cells = height * (rows.stop - rows.start) * width
        with (
            one_blas_thread(cells * (columns.stop - columns.start)),
            np.errstate(all="ignore"),
        ):
            in_threads(lambda read: self._pool_rows(read, columns), few)

    def _pool_rows(self, rows: slice, columns: slice) -> None:
        """Pool some rows of blocks, all queries of which are compared at a time."""
        height = self.block[0]
        queries = slice(rows.start * height, min(rows.stop * height, self.shape[0]))
        self._replace(rows, columns, queries, height)

    def _replace(
        self, rows: Selection, columns: slice, queries: Selection, height: int
    ) -> None:
        """Replace some blocks by those of so many successive queries each."""
        span = self._span(queries, columns)
        found = self._of_queries(queries, span)
        for away in (slice(columns.start, span.start), slice(span.stop, columns.stop)):
            self.extremes.hide(rows, away)
        self.extremes.write(rows, span, found.pooled((height, 1)))

    def _of_queries(self, queries: Selection, blocks: slice) -> Extremes:
        """Return the extremes of some blocks of keys for each of some queries."""
        found = self._allocated(queries, blocks)
        n_queries = count(queries, self.shape[0])
        tiles = list(self._tiles(blocks, n_queries))
        room = room_for(tiles, n_queries, self._scores.dtype)
        for keys in tiles:
            part = Part(self._lead, queries, keys)
            tile = keys_major(room, n_queries, keys.stop - keys.start)
            self._scores.write(part, tile, self._step)
            self._put(found, tile, part, blocks.start)
        return found

    def _allocated(self, queries: Selection, blocks: slice) -> Extremes:
        """Allocate memory for blocks of keys, each of which is in one piece."""
        shape = blocks.stop - blocks.start, count(queries, self.shape[0])
        found = Extremes.empty(shape, self._scores.dtype)
        found.flags.fill(SEEN)
        return Extremes(found.lows.T, found.highs.T, found.flags.T)

    def _put(self, found: Extremes, tile: Array, part: Part, start: int) -> Array:
        """Write the extremes of a tile where they belong.

        Returns
        -------
        ndarray, shape (queries, blocks)
            The largest number of each query in each block.
        """
        self._proceed()
        assert isinstance(part.columns, slice)
        width = self.block[1]
        first = part.columns.start // width - start
        own = found.of_part(ALL, slice(first, first - (-tile.shape[1] // width)))
        self._pool_tile(tile, part, own)
        return own.highs

    def _span(self, queries: Selection, columns: slice) -> slice:
        """Return which of some blocks of keys some of the queries may see."""
        if not self._masked:
            return columns
        width, seen = self.block[1], self._scores.reach(self._lead, *ends(queries))
        start, stop = seen.start // width, -(-seen.stop // width)
        start = min(max(columns.start, start), columns.stop)
        return slice(start, max(start, min(columns.stop, stop)))

    def _tiles(self, span: slice, n_queries: int) -> Iterator[slice]:
        """Yield the keys of some blocks, a tile of whole blocks at a time."""
        width, n_keys = self.block[1], self.shape[1]
        for blocks in strips(span, keys_at_once(n_queries) // width):
            yield slice(blocks.start * width, min(blocks.stop * width, n_keys))

    def _pool_tile(self, tile: Array, part: Part, found: Extremes) -> None:
        """Write the extremes of each query's blocks of keys; `SEEN` is set already."""
        of_blocks(np.maximum, tile, self.block[1], found.highs)
        of_blocks(np.minimum, tile, self.block[1], found.lows)
        if np.isfinite(found.lows).all() and np.isfinite(found.highs).all():
            return
        hidden = self._scores.hidden(part) if self._masked else None
        found.write(ALL, ALL, Extremes.of(tile, hidden, (1, self.block[1])))


def _shares(rows: slice, most: int) -> Iterator[slice]:
    """Yield shares of some rows of blocks for threads, which should end together.

    Later queries may see more keys, and go first; shares become smaller at the end.

    References
    ----------
    Polychronopoulos and Kuck 1987, "Guided Self-Scheduling".
    """
    stop = rows.stop
    while stop > rows.start:
        size = min(most, (stop - rows.start) // _SHARES)
        start = max(rows.start, stop - max(size, most // _SHARES, 1))
        yield slice(start, stop)
        stop = start


def of_blocks(extreme: np.ufunc, tile: _Cells, width: int, out: _Cells) -> None:
    """Reduce each query's blocks of keys; the last one may be incomplete.

    Parameters
    ----------
    extreme : ufunc
        What reduces them.
    tile : ndarray, shape (queries, keys)
        The numbers, which should be `keys_major`.
    width : int
        The keys of a block.
    out : ndarray, shape (queries, blocks)
        Where the reduced numbers are written.
    """
    keys, reduced = tile.T, out.T  # (keys, queries), (blocks, queries)
    n_whole = len(keys) // width
    blocks = keys[: n_whole * width].reshape(n_whole, width, keys.shape[1])
    extreme.reduce(blocks, axis=1, out=reduced[:n_whole])
    if n_whole < len(reduced):
        extreme.reduce(keys[n_whole * width :], axis=0, out=reduced[n_whole])
