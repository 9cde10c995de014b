"""Softmax attention of which no n × n array is stored, updated key by key."""

from collections.abc import Mapping, Sequence

import numpy as np

from attnviewer.compute.arrays import Array, BoolArray, Index, IndexArray, Part
from attnviewer.compute.changes import EVERYTHING, Dirty, joined
from attnviewer.compute.engine.incremental_attention import (
    DirtyBlocks,
    IncrementalAttention,
)
from attnviewer.compute.engine.pinned_attention import PinnedAttention
from attnviewer.compute.engine.reached import runs
from attnviewer.compute.engine.unstored_attention import UnstoredAttention
from attnviewer.compute.passes import weights_of
from attnviewer.compute.progress import Progress
from attnviewer.compute.sections import Pipeline
from attnviewer.compute.stages.shared_heads import share, shared_by
from attnviewer.compute.streaming import StreamedWeights

_NOTHING = Dirty(rows=np.empty(0, np.intp))

_KEYS, _ROWS = 16, 4096
"""Changed keys, and rows, that are processed at a time, to limit the memory needed."""

_FEW = 16
"""The part of all tokens from which on a whole pass is faster than single ones."""

_MOST_EXCHANGED = 8.0
"""How many times its total a row may take in and out before it is recomputed: the
rounding of each numerator stays in the total."""


class StreamedAttention(UnstoredAttention):
    """Weights as a state per row, and weighted values, that follow single keys.

    A changed key or value costs a column: its previous numerators are computed again
    and taken out of the sums of all rows. Other changes are as in `UnstoredAttention`.

    Parameters
    ----------
    weights : StreamedWeights
        The weights.
    pipeline, steps, progress
        As there.
    """

    def __init__(
        self,
        weights: StreamedWeights,
        pipeline: Pipeline,
        steps: Mapping[str, Array],
        progress: Progress | None = None,
    ) -> None:
        self._streamed = weights
        self._values = steps[pipeline.mix.inputs[1]]  # (..., h_kv, n_k, d_v)
        self._group = shared_by(weights.scores.shape, self._values.shape)
        shape = weights.scores.shape[:-1]
        self._sums = np.empty((*shape, self._values.shape[-1]))  # (..., h, n_q, d_v)
        self._exchanged = np.zeros(shape)  # (..., h, n_q)
        super().__init__(weights, pipeline, steps, progress)

    @property
    def compared(self) -> frozenset[str]:
        return frozenset((*self._streamed.scores.sides, self._pipeline.mix.inputs[1]))

    def heads(self) -> Array:
        divisor = self._streamed.normalizer.divisor(self._streamed.state)
        assert divisor is not None
        return np.divide(self._sums, divisor, out=self._heads, casting="same_kind")

    def update(
        self, dirty: Mapping[str, Dirty], previous: Mapping[str, Array]
    ) -> DirtyBlocks:
        scores, mix = self._streamed.scores, self._pipeline.mix
        queries, keys, values = (
            dirty.get(name, _NOTHING).rows for name in (*scores.sides, mix.inputs[1])
        )
        moved = joined(keys, values)
        if (
            dirty.keys() & set(scores.others)
            or queries is None
            or keys is None
            or moved is None
            or queries.size + moved.size > scores.shape[-1] // _FEW
        ):
            return super().update(dirty, previous)
        for first in range(0, moved.size, _KEYS):
            self._exchange(moved[first : first + _KEYS], dirty, previous)
        for lead in np.ndindex(scores.shape[:-2]):
            stale = np.union1d(queries, np.flatnonzero(self._drifted(lead)))
            self._attend([(lead, rows) for rows in runs(stale, scores.shape[-2])])
        blocks = Dirty(rows=queries), Dirty(columns=keys)
        changed = tuple(
            block
            for block, tokens in zip(blocks, (queries, keys), strict=True)
            if tokens.size
        )
        steps = dict.fromkeys(self._pipeline.weighed, changed)
        steps[mix.inputs[0]] = (EVERYTHING,) if changed else ()
        steps[mix.name] = (EVERYTHING,)
        return DirtyBlocks(steps, changed)

    def _attend(
        self, parts: Sequence[tuple[Index, slice]], progress: Progress | None = None
    ) -> None:
        def attend(part: tuple[Index, slice]) -> None:
            lead, rows = part
            values = share(self._values, lead, self._group)  # (n_k, d_v)
            self._sums[lead][rows] = self._streamed.sums(lead, rows, values)
            self._exchanged[lead][rows] = 0

        self._each(attend, parts, progress)

    def _exchange(
        self,
        keys: IndexArray,
        dirty: Mapping[str, Dirty],
        previous: Mapping[str, Array],
    ) -> None:
        """Take what some keys gave out of all sums, and what they give now in.

        Parameters
        ----------
        keys : ndarray of intp
            The keys.
        dirty, previous
            As in `update`.
        """
        now: dict[str, tuple[IndexArray, Array]] = {}
        names = {self._streamed.scores.sides[1], self._pipeline.mix.inputs[1]}
        for name in names & dirty.keys():
            rows = dirty[name].rows
            assert rows is not None
            here = np.intersect1d(keys, rows)
            step = self._steps[name]
            now[name] = here, step[..., here, :].copy()
            step[..., here, :] = previous[name][..., np.searchsorted(rows, here), :]
        self._add(keys, -1)
        for name, (here, numbers) in now.items():
            self._steps[name][..., here, :] = numbers
        self._add(keys, 1)

    def _add(self, keys: IndexArray, sign: int) -> None:
        """Add the numerators of some keys, and their values, to all sums."""
        weights = self._streamed
        n_q = weights.scores.shape[-2]
        for lead in np.ndindex(weights.scores.shape[:-2]):
            values = share(self._values, lead, self._group)[keys].astype(np.float64)
            for first in range(0, n_q, _ROWS):
                rows = slice(first, min(first + _ROWS, n_q))
                state = weights.state[lead][rows]  # (rows, 2)
                window = weights.scores.last(Part(lead, rows, keys))  # (rows, keys)
                self._touched += window.size
                kept = weights.normalizer.numerators(window, state[:, :1], out=window)
                numerators = kept.astype(np.float64)
                total = numerators.sum(axis=-1)  # (rows,)
                state[:, 1] += sign * total
                self._exchanged[lead][rows] += total
                self._sums[lead][rows] += sign * (numerators @ values)

    def _drifted(self, lead: Index) -> BoolArray:
        """Return which rows must be recomputed to remain exact, shape (n_q,)."""
        total = self._streamed.state[lead][:, 1]  # (n_q,)
        exact: BoolArray = self._exchanged[lead] <= _MOST_EXCHANGED * total
        return ~exact


def unstored_attention(
    pipeline: Pipeline, steps: Mapping[str, Array], progress: Progress | None = None
) -> IncrementalAttention:
    """Return the attention of a pipeline that stores no n × n array.

    Parameters
    ----------
    pipeline : Pipeline
        All stages.
    steps : mapping of str to ndarray
        Where the steps before the scores are read.
    progress : callable, optional
        Called with the completed fraction of the rows.
    """
    weights = weights_of(pipeline, steps, None)
    attention: IncrementalAttention
    if isinstance(weights, StreamedWeights):
        attention = StreamedAttention(weights, pipeline, steps, progress)
    else:
        attention = UnstoredAttention(weights, pipeline, steps, progress)
    if pipeline.only_normalizes and pipeline.normalize.pins is not None:
        return PinnedAttention(attention, pipeline, steps)
    return attention
