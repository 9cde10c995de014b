"""The overview of weights that are not stored."""

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

import numpy as np

from attnviewer.compute.arrays import (
    Array,
    BoolArray,
    Index,
    IndexArray,
    Part,
    Selection,
    count,
)
from attnviewer.compute.changes import Dirty
from attnviewer.compute.pooling import pool
from attnviewer.compute.streaming.streamed_weights import StreamedWeights
from attnviewer.compute.streaming.tiled_overview import TiledOverview, of_blocks
from attnviewer.compute.windowed.base import Windowed
from attnviewer.compute.windowed.blocks import HIDDEN, NAN, SEEN, Extremes
from attnviewer.compute.windowed.overview import MOST
from attnviewer.compute.windowed.sketched import Sampled

_SETTLED = 2.0**-10
"""By how much the logarithm of a row's total may change until it is pooled again."""

Watch = Callable[[Array, Part], Array]
"""Is shown each tile of scores, (rows, keys), and which part of the scores it is.

Returns the largest scores of each row in parts of the tile, (rows, parts).
"""


class AttendedRows(Protocol):
    """Rows whose states are computed when they are needed."""

    def ensure(self, lead: Index, rows: Selection) -> None:
        """Compute those of some rows that are not known yet."""

    def known(self, lead: Index, rows: Selection) -> BoolArray:
        """Return which of some rows are known."""

    def attend(
        self, lead: Index, rows: Selection, tiles: Iterable[slice], watch: Watch
    ) -> None:
        """Compute some rows by the given tiles of keys, which are shown to `watch`."""


class StreamedOverview(TiledOverview):
    """The overview of one head's weights, pooled as scores.

    The weight of a query grows with the score, so that only the extreme scores of each
    row and block are turned into weights. Parts that a mask hides entirely are not
    computed. Rows that are not known are attended in the same pass.

    An edit of one key changes the totals of all rows, most of them by next to nothing:
    after `refresh`, weights outside the changed blocks are within a thousandth of what
    they are.

    Parameters
    ----------
    matrix : Sampled
        The weights, from which means are read.
    weights : StreamedWeights
        The same.
    lead : tuple of int
        Batch item and head.
    most : int or tuple of two int
        As in `Overview`.
    rows : AttendedRows, optional
        Computes the states of rows that are not known; by default, all are known.
    read : bool
        As in `SketchedOverview`.
    """

    of_numerators = True

    def __init__(
        self,
        matrix: Sampled,
        weights: StreamedWeights,
        lead: Index,
        most: int | tuple[int, int] = MOST,
        *,
        rows: AttendedRows | None = None,
        read: bool = True,
    ) -> None:
        self._weights, self._rows = weights, rows
        self._pooled = np.full(matrix.shape[0], np.nan)  # logarithms, as pooled: (n_q,)
        scores = weights.scores
        super().__init__(
            *(matrix, scores, scores.steps[-1], lead, most), masked=True, read=read
        )

    def refresh(
        self,
        matrix: Windowed,
        blocks: Sequence[Dirty],
        extremes: Extremes | None = None,
    ) -> None:
        """Update the overview after an edit.

        Parameters
        ----------
        matrix : Sampled
            The weights as they are now.
        blocks : sequence of Dirty
            Where their numerators may have changed; their heads are ignored.
        extremes : Extremes, optional
            As in `Overview`.
        """
        super().refresh(matrix, [*blocks, Dirty(rows=self._moved())], extremes)

    def _moved(self) -> IndexArray:
        """Return the rows that have been read and whose totals have changed."""
        height = self.block[0]
        read = np.repeat(self._exact, height)[: self.shape[0]]  # (n_q,)
        read[self._middle(np.flatnonzero(self._sampled))] = True
        rows = np.flatnonzero(read)
        now, before = self._logarithms(rows), self._pooled[rows]  # (rows,)
        with np.errstate(invalid="ignore"):
            same: BoolArray = (now == before) | (np.abs(now - before) <= _SETTLED)
        if self._rows is not None:
            same &= self._rows.known(self._lead, rows)
        return rows[~same]

    def _logarithms(self, rows: Selection) -> Array:
        """Return the logarithms of the sums of e to the scores, shape (rows,)."""
        state = self._weights.state[self._lead][rows]  # (rows, 2)
        normalizer = self._weights.normalizer
        divisor = normalizer.divisor(state)
        assert divisor is not None
        found: Array = state[:, 0] / normalizer.temperature + np.log(divisor[:, 0])
        return found

    def _of_queries(self, queries: Selection, blocks: slice) -> Extremes:
        every = blocks == self._span(queries, slice(0, self._counts[1]))
        rows = self._rows
        if rows is not None and every and not rows.known(self._lead, queries).all():
            found = self._allocated(queries, blocks)
            tiles = self._tiles(blocks, count(queries, self.shape[0]))
            rows.attend(
                *(self._lead, queries, tiles),
                lambda tile, part: self._put(found, tile, part, blocks.start),
            )
        else:
            if rows is not None:
                rows.ensure(self._lead, queries)
            found = super()._of_queries(queries, blocks)
        if every:
            self._pooled[queries] = self._logarithms(queries)
        self._weigh(found, queries)
        return found

    def _weigh(self, found: Extremes, queries: Selection) -> None:
        """Turn extreme scores into extreme weights, in place."""
        normalizer, dtype = self._weights.normalizer, found.highs.dtype
        state = self._weights.state[self._lead][queries]  # (queries, 2)
        divisor = normalizer.divisor(state)  # (queries, 1)
        # Dividing mixed types is three times slower; a total may exceed float16.
        divisor = divisor.astype(np.promote_types(dtype, np.float32))
        shift = state[:, :1].astype(dtype)  # (queries, 1)
        unseen = found.flags & SEEN == 0  # (queries, blocks)
        nothing = unseen.any()
        with np.errstate(over="ignore", invalid="ignore"):  # of blocks without a score
            for scores, none in ((found.lows, np.inf), (found.highs, -np.inf)):
                normalizer.numerators(scores, shift, out=scores)
                np.divide(scores, divisor, out=scores, casting="same_kind")
                if nothing:
                    scores[unseen] = none
        unknown = np.isnan(found.highs)  # (queries, blocks)
        if unknown.any():
            found.lows[unknown], found.highs[unknown] = np.inf, -np.inf
            found.flags[unknown] |= NAN

    def _pool_tile(self, tile: Array, part: Part, found: Extremes) -> None:
        # Infinite scores have weights, too, and so are not set apart.
        of_blocks(np.maximum, tile, self.block[1], found.highs)
        of_blocks(np.minimum, tile, self.block[1], found.lows)
        if found.lows.min(initial=np.inf) > -np.inf:  # nor NaN
            return
        known = (found.lows > -np.inf).all(axis=0)  # (blocks,)
        doubtful = np.flatnonzero(~known)
        self._set_hidden_apart(found, tile, part, slice(doubtful[0], doubtful[-1] + 1))

    def _set_hidden_apart(
        self, found: Extremes, tile: Array, part: Part, blocks: slice
    ) -> None:
        """Correct some blocks of keys of a tile in which cells may be hidden."""
        assert isinstance(part.columns, slice)
        width, start = self.block[1], part.columns.start
        own = slice(blocks.start * width, min(blocks.stop * width, tile.shape[1]))
        keys = slice(start + own.start, start + own.stop)
        hidden = self._scores.hidden(Part(part.lead, part.rows, keys))
        if hidden is None:
            return
        gone = tile[:, own] == -np.inf  # (queries, keys), keys in one piece
        finite = not np.isnan(found.lows[:, blocks]).any()  # NaN wins over hidden cells
        if finite and np.count_nonzero(gone) == np.count_nonzero(hidden):
            hidden = gone
            away = found.lows[:, blocks] == -np.inf  # (queries, blocks)
            seen = found.highs[:, blocks] != -np.inf  # (queries, blocks)
        else:
            away = pool(hidden, (1, width), np.logical_or)  # (queries, blocks)
            seen = pool(~hidden, (1, width), np.logical_or)  # (queries, blocks)
        scores = tile[:, own].copy(order="K")  # (queries, keys)
        np.copyto(scores, np.inf, where=hidden)  # takes half the time of `where`
        of_blocks(np.minimum, scores, width, found.lows[:, blocks])
        found.flags[:, blocks] = seen * np.uint8(SEEN) | away * np.uint8(HIDDEN)
