"""Softmax attention of which no n × n array is stored, updated key by key."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from attnviewer.compute.arrays import (
    Array,
    BoolArray,
    Index,
    IndexArray,
    Part,
    Selection,
)
from attnviewer.compute.changes import Dirty
from attnviewer.compute.engine.incremental_attention import DirtyBlocks
from attnviewer.compute.engine.on_demand_attention import OnDemandAttention
from attnviewer.compute.engine.pinned_attention import OnDemandPinnedAttention
from attnviewer.compute.engine.unstored_attention import KEYS, UnstoredAttention
from attnviewer.compute.passes import weights_of
from attnviewer.compute.sections import Pipeline
from attnviewer.compute.stages.shared_heads import share, shared_by
from attnviewer.compute.streaming import StreamedWeights, Watch
from attnviewer.compute.streaming.tiled_rows import QUERIES

_ROWS = 4096
"""Rows that are processed at a time, to limit the memory needed."""

_MOST_EXCHANGED = 8.0
"""How many times its total a row may take in and out before it is recomputed: the
rounding of each numerator stays in the total. The same holds of its weighted values."""

_MOST_UNSURE = 2.0**-10
"""How far rounding may move a score whose numerator is taken out of a row: that of a
larger one need not be the number that was added."""


class StreamedAttention(UnstoredAttention):
    """Weights as a state per row, and weighted values, that follow single keys.

    A changed key or value costs a column: its previous numerators are computed again
    and taken out of the sums of all rows. Other changes are as in `UnstoredAttention`.
    Sums are in double precision. Before a matrix's first such change, its weighted
    values are stored instead, in half the memory.

    Parameters
    ----------
    weights : StreamedWeights
        The weights.
    pipeline, steps
        As there.

    Attributes
    ----------
    streamed : StreamedWeights
        The weights, whose rows need not be known yet.
    """

    def __init__(
        self,
        weights: StreamedWeights,
        pipeline: Pipeline,
        steps: Mapping[str, Array],
    ) -> None:
        self.streamed = weights
        super().__init__(weights, pipeline, steps)
        self._group = shared_by(weights.scores.shape, self._values.shape)

    def _allocate(self) -> None:
        shape = self._known.shape
        self._exchanged = np.zeros(shape)  # (..., h, n_q)
        self._exchanged_values = np.zeros(shape)  # (..., h, n_q)
        self._means: dict[Index, Array] = {}  # the weighted values, each (n_q, d_v)
        self._sums: dict[Index, Array] = {}  # of other matrices instead
        for lead in self._matrices(()):
            self._begin(lead)

    def _begin(self, lead: Index) -> None:
        """Allocate memory for the weighted values of one matrix."""
        shape = self._known.shape[-1], self._values.shape[-1]
        self._sums.pop(lead, None)
        self._means[lead] = np.empty(shape, self._values.dtype)  # (n_q, d_v)

    def mixed(self, lead: Index, rows: Selection) -> Array:
        self.ensure(lead, rows)
        leads = self._matrices(lead)
        shape = Part(lead, rows).of(self.streamed.state).shape[:-1]  # (..., rows)
        mixed = np.empty((*shape, self._values.shape[-1]), self._values.dtype)
        each = mixed.reshape(len(leads), *mixed.shape[-2:])  # (matrices, rows, d_v)
        for out, one in zip(each, leads, strict=True):
            if one in self._sums:
                self._divide(self._sums[one][rows], one, rows, out)
            else:
                out[...] = self._means[one][rows]
        return mixed

    def _divide(self, sums: Array, lead: Index, rows: Selection, out: Array) -> None:
        """Divide the sums of some rows of a matrix by the totals, (rows, d_v)."""
        divisor = self.streamed.normalizer.divisor(self.streamed.state[lead][rows])
        assert divisor is not None
        np.divide(sums, divisor, out=out, casting="same_kind")

    def update(
        self, dirty: Mapping[str, Dirty], previous: Mapping[str, Array]
    ) -> DirtyBlocks:
        moved, (queries, keys, _) = self._moved(dirty), self._tokens(dirty)
        if moved is None or queries is None or keys is None:
            return super().update(dirty, previous)
        known = [lead for lead in self._matrices(()) if self._known[lead].any()]
        if moved.size:
            for lead in known:
                self._sum_up(lead)
        for first in range(0, moved.size, KEYS):
            few = moved[first : first + KEYS]
            with self.earlier(few, dirty, previous):
                self._add(known, few, -1)
            self._add(known, few, 1)
        for lead in known:
            if moved.size:
                self._known[lead] &= ~self._drifted(lead)
            self._known[lead][queries] = False
        return self._blocks(queries, keys, None)

    def _sum_up(self, lead: Index) -> None:
        """Turn the weighted values of one matrix into sums, in double precision."""
        if lead in self._sums:
            return
        divisor = self.streamed.normalizer.divisor(self.streamed.state[lead])
        means = self._means.pop(lead)
        self._sums[lead] = np.multiply(means, divisor, dtype=np.float64)  # (n_q, d_v)

    def _parted(self, rows: IndexArray) -> Sequence[Selection]:
        parts = (
            rows[first : first + QUERIES] for first in range(0, rows.size, QUERIES)
        )
        return [
            slice(int(part[0]), int(part[-1]) + 1)
            if part[-1] - part[0] + 1 == part.size
            else part
            for part in parts
        ]

    def _attend(self, lead: Index, rows: Selection) -> None:
        self.attend(lead, rows)

    def attend(
        self,
        lead: Index,
        rows: Selection,
        tiles: Iterable[slice] | None = None,
        watch: Watch | None = None,
    ) -> None:
        """Compute some rows of one matrix anew.

        Parameters
        ----------
        lead, rows
            As in `ensure`.
        tiles, watch
            As in `TiledRows.attend`.
        """
        values = share(self._values, lead, self._group)  # (n_k, d_v)
        sums = self.streamed.sums(lead, rows, values, tiles, watch)  # (rows, d_v)
        if lead in self._sums:
            self._sums[lead][rows] = sums
        else:
            self._divide(sums, lead, rows, out=sums)
            self._means[lead][rows] = sums
        self._exchanged[lead][rows] = 0
        self._exchanged_values[lead][rows] = 0
        self._note(lead, rows)

    def known(self, lead: Index, rows: Selection) -> BoolArray:
        """Return which of some rows of one matrix are known, shape (rows,)."""
        known: BoolArray = self._known[lead][rows]
        return known

    def _add(self, leads: Sequence[Index], keys: IndexArray, sign: int) -> None:
        """Add the numerators of some keys, and their values, to sums of all rows."""
        weights = self.streamed
        n_q = weights.scores.shape[-2]
        for lead in leads:
            values = share(self._values, lead, self._group)[keys].astype(np.float64)
            sizes = np.abs(values).max(axis=-1)  # (keys,)
            for first in range(0, n_q, _ROWS):
                rows = slice(first, min(first + _ROWS, n_q))
                state = weights.state[lead][rows]  # (rows, 2)
                window = weights.scores.last(Part(lead, rows, keys))  # (rows, keys)
                self._touched += window.size
                self._known[lead][rows] &= ~_unsure(window)
                kept = weights.normalizer.numerators(window, state[:, :1], out=window)
                numerators = kept.astype(np.float64)
                total = numerators.sum(axis=-1)  # (rows,)
                state[:, 1] += sign * total
                self._exchanged[lead][rows] += total
                self._exchanged_values[lead][rows] += numerators @ sizes
                self._sums[lead][rows] += sign * (numerators @ values)

    def _forget(self, reached: Dirty) -> None:
        super()._forget(reached)
        for lead in list(self._sums):
            if not self._known[lead].any():
                self._begin(lead)

    def _drifted(self, lead: Index) -> BoolArray:
        """Return which rows must be recomputed to remain exact, shape (n_q,)."""
        total = self.streamed.state[lead][:, 1]  # (n_q,)
        sums = self._sums[lead]  # (n_q, d_v)
        largest = np.maximum(sums.max(axis=-1), -sums.min(axis=-1))  # (n_q,)
        near = self._exchanged[lead] <= _MOST_EXCHANGED * total
        near &= self._exchanged_values[lead] <= _MOST_EXCHANGED * largest
        exact: BoolArray = near & np.isfinite(total) & np.isfinite(largest)
        return ~exact


def _unsure(scores: Array) -> BoolArray:
    """Return which rows have scores whose rounding shows, shape (rows,)."""
    most = _MOST_UNSURE / np.finfo(scores.dtype).eps
    # Of hidden keys, nothing is taken out.
    seen = np.where(np.isneginf(scores), 0, scores)  # (rows, keys)
    return np.asarray((np.abs(seen) > most).any(axis=-1))


def unstored_attention(
    pipeline: Pipeline, steps: Mapping[str, Array]
) -> OnDemandAttention:
    """Return the attention of a pipeline that stores no n × n array.

    Parameters
    ----------
    pipeline : Pipeline
        All stages.
    steps : mapping of str to ndarray
        Where the steps before the scores are read.
    """
    weights = weights_of(pipeline, steps, None)
    attention: OnDemandAttention
    if isinstance(weights, StreamedWeights):
        attention = StreamedAttention(weights, pipeline, steps)
    else:
        attention = UnstoredAttention(weights, pipeline, steps)
    if pipeline.only_normalizes and pipeline.normalize.pins is not None:
        return OnDemandPinnedAttention(attention, pipeline, steps)
    return attention
