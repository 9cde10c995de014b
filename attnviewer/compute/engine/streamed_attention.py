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
        self._sums = np.empty((*shape, self._values.shape[-1]))  # (..., h, n_q, d_v)
        self._exchanged = np.zeros(shape)  # (..., h, n_q)
        self._exchanged_values = np.zeros(shape)  # (..., h, n_q)

    def mixed(self, lead: Index, rows: Selection) -> Array:
        self.ensure(lead, rows)
        state = Part(lead, rows).of(self.streamed.state)  # (..., rows, 2)
        divisor = self.streamed.normalizer.divisor(state)
        assert divisor is not None
        sums = self._sums[lead][..., rows, :]  # (..., rows, d_v)
        mixed = np.empty(sums.shape, self._values.dtype)
        np.divide(sums, divisor, out=mixed, casting="same_kind")
        return mixed

    def update(
        self, dirty: Mapping[str, Dirty], previous: Mapping[str, Array]
    ) -> DirtyBlocks:
        moved, (queries, keys, _) = self._moved(dirty), self._tokens(dirty)
        if moved is None or queries is None or keys is None:
            return super().update(dirty, previous)
        for first in range(0, moved.size, KEYS):
            few = moved[first : first + KEYS]
            with self.earlier(few, dirty, previous):
                self._add(few, -1)
            self._add(few, 1)
        for lead in np.ndindex(self._known.shape[:-1]):
            self._known[lead][queries] = False
            self._known[lead] &= ~self._drifted(lead)
        return self._blocks(queries, keys, None)

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
        sums = self.streamed.sums(lead, rows, values, tiles, watch)
        self._sums[lead][rows] = sums  # (rows, d_v)
        self._exchanged[lead][rows] = 0
        self._exchanged_values[lead][rows] = 0
        self._note(lead, rows)

    def known(self, lead: Index, rows: Selection) -> BoolArray:
        """Return which of some rows of one matrix are known, shape (rows,)."""
        known: BoolArray = self._known[lead][rows]
        return known

    def _add(self, keys: IndexArray, sign: int) -> None:
        """Add the numerators of some keys, and their values, to all sums."""
        weights = self.streamed
        n_q = weights.scores.shape[-2]
        for lead in np.ndindex(weights.scores.shape[:-2]):
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

    def _drifted(self, lead: Index) -> BoolArray:
        """Return which rows must be recomputed to remain exact, shape (n_q,)."""
        total = self.streamed.state[lead][:, 1]  # (n_q,)
        largest = np.abs(self._sums[lead]).max(axis=-1)  # (n_q,)
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
