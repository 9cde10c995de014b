"""The overview of weights that are not stored."""

from collections.abc import Iterator, Sequence

import numpy as np

from attnviewer.compute.arrays import ALL, Array, BoolArray, Index, Part
from attnviewer.compute.changes import Dirty
from attnviewer.compute.pooling import pool
from attnviewer.compute.streaming.streamed_weights import StreamedWeights
from attnviewer.compute.streaming.tiled_rows import KEYS, QUERIES
from attnviewer.compute.threads import in_threads, one_blas_thread
from attnviewer.compute.windowed.base import Windowed
from attnviewer.compute.windowed.blocks import HIDDEN, NAN, SEEN, Extremes, Flags
from attnviewer.compute.windowed.overview import MOST, Overview
from attnviewer.compute.windowed.strips import strips

_SETTLED = 2.0**-10
"""By how much the logarithm of a row's total may change until it is pooled again."""


class StreamedOverview(Overview):
    """The overview of one head's weights, pooled as scores.

    The weight of a query grows with the score, so that only the extreme scores of each
    row and block are turned into weights. Parts that a mask hides entirely are not
    computed.

    An edit of one key changes the totals of all rows, most of them by next to nothing:
    after `refresh`, weights outside the changed blocks are within a thousandth of what
    they are.

    Parameters
    ----------
    matrix : Windowed
        The weights, from which means are read.
    weights : StreamedWeights
        The same.
    lead : tuple of int
        Batch item and head.
    most, read
        As in `Overview`.
    """

    of_numerators = True

    def __init__(
        self,
        matrix: Windowed,
        weights: StreamedWeights,
        lead: Index,
        most: int | tuple[int, int] = MOST,
        *,
        read: bool = True,
    ) -> None:
        self._weights, self._lead = weights, lead
        self._pooled = np.full(matrix.shape[0], np.nan)  # logarithms, as pooled: (n_q,)
        super().__init__(matrix, most, read=read)

    def refresh(
        self,
        matrix: Windowed,
        blocks: Sequence[Dirty],
        extremes: Extremes | None = None,
    ) -> None:
        """Update the overview after an edit.

        Parameters
        ----------
        matrix : Windowed
            The weights as they are now.
        blocks : sequence of Dirty
            Where their numerators may have changed; their heads are ignored.
        extremes : Extremes, optional
            As in `Overview`.
        """
        now, before = self._logarithms(ALL), self._pooled  # (n_q,)
        with np.errstate(invalid="ignore"):
            same = (now == before) | (np.abs(now - before) <= _SETTLED)  # (n_q,)
        moved = Dirty(rows=np.flatnonzero(~same))
        super().refresh(matrix, [*blocks, moved], extremes)

    def _logarithms(self, rows: slice) -> Array:
        """Return the logarithms of the sums of e to the scores, shape (rows,)."""
        state = self._weights.state[self._lead][rows]  # (rows, 2)
        normalizer = self._weights.normalizer
        divisor = normalizer.divisor(state)
        assert divisor is not None
        found: Array = state[:, 0] / normalizer.temperature + np.log(divisor[:, 0])
        return found

    def _pool(self, rows: slice, columns: slice, *, extremes: bool = True) -> None:
        if self._means is not None:
            super()._pool(rows, columns, extremes=False)
        if not extremes:
            return
        height, width = self.block
        few = list(strips(rows, QUERIES // height))
        cells = height * (rows.stop - rows.start) * width
        with one_blas_thread(cells * (columns.stop - columns.start)):
            in_threads(lambda read: self._pool_rows(read, columns), few)

    def _pool_rows(self, rows: slice, columns: slice) -> None:
        """Pool some rows of blocks, all queries of which are compared at a time."""
        height, width = self.block
        queries = slice(rows.start * height, min(rows.stop * height, self.shape[0]))
        count = queries.stop - queries.start, columns.stop - columns.start
        dtype = self._weights.scores.dtype
        lows, highs = np.full(count, np.inf, dtype), np.full(count, -np.inf, dtype)
        flags = np.full(count, HIDDEN, np.uint8)
        for keys in self._tiles(queries, columns):
            part = Part(self._lead, queries, keys)
            tile = self._weights.scores.last(part)  # (queries, keys)
            first = keys.start // width - columns.start
            here = np.s_[:, first : first + -(-(keys.stop - keys.start) // width)]
            lows[here], highs[here], flags[here] = self._pool_tile(tile, part)
        state = self._weights.state[self._lead][queries]  # (queries, 2)
        seen = flags & SEEN != 0  # (queries, blocks)
        with np.errstate(over="ignore", invalid="ignore"):  # of blocks without a score
            for scores in (lows, highs):
                weights = self._weights.normalizer.apply(scores, state)
                np.copyto(scores, weights, where=seen)
        unknown = np.isnan(highs) & seen
        lows[unknown], highs[unknown] = np.inf, -np.inf
        flags[unknown] |= NAN
        if count[1] == self.extremes.flags.shape[1]:
            self._pooled[queries] = self._logarithms(queries)
        self.extremes.write(
            rows,
            columns,
            Extremes(
                pool(lows, (height, 1), np.minimum),
                pool(highs, (height, 1), np.maximum),
                pool(flags, (height, 1), np.bitwise_or),
            ),
        )

    def _tiles(self, queries: slice, columns: slice) -> Iterator[slice]:
        """Yield the keys, in whole blocks, that some of the queries may see."""
        width, n_keys = self.block[1], self.shape[1]
        seen = self._weights.scores.reach(self._lead, queries.start, queries.stop - 1)
        span = slice(
            max(columns.start, seen.start // width),
            min(columns.stop, -(-seen.stop // width)),
        )
        for blocks in strips(span, KEYS // width):
            yield slice(blocks.start * width, min(blocks.stop * width, n_keys))

    def _pool_tile(self, tile: Array, part: Part) -> tuple[Array, Array, Flags]:
        """Return the extreme scores and the flags of each query's blocks of keys."""
        starts = np.arange(0, tile.shape[1], self.block[1])
        highs = np.maximum.reduceat(tile, starts, axis=1)  # (queries, blocks)
        lows = np.minimum.reduceat(tile, starts, axis=1)  # (queries, blocks)
        flags = np.full(highs.shape, SEEN, np.uint8)
        if np.isneginf(lows).any():
            hidden: BoolArray | None = self._weights.scores.hidden(part)
            if hidden is not None:
                lows = np.minimum.reduceat(
                    np.where(hidden, np.inf, tile), starts, axis=1
                )
                away = np.logical_or.reduceat(hidden, starts, axis=1)
                seen = ~np.logical_and.reduceat(hidden, starts, axis=1)
                flags = seen * np.uint8(SEEN) | away * np.uint8(HIDDEN)
        return lows, highs, flags
