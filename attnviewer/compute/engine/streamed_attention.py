"""Softmax attention of which no n × n array is stored, updated key by key."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

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
from attnviewer.compute.engine.unstored_attention import FEW, UnstoredAttention
from attnviewer.compute.engine.weighted_values import (
    MOST_FOLLOWED,
    MOST_KEYS,
    WeightedValues,
)
from attnviewer.compute.passes import weights_of
from attnviewer.compute.sections import Pipeline
from attnviewer.compute.stages.shared_heads import share, shared_by
from attnviewer.compute.streaming import StreamedWeights, Watch
from attnviewer.compute.streaming.tiled_rows import QUERIES
from attnviewer.compute.threads import in_threads, one_blas_thread
from attnviewer.compute.windowed.strips import strips

_ROWS = 4096
"""Rows that are processed at a time, to limit the memory needed."""

_MOST_EXCHANGED = 8.0
"""How many times its total a row may take in and out before it is recomputed: the
rounding of each numerator stays in the total."""

_MOST_UNSURE = 2.0**-10
"""How far rounding may move a score whose numerator is taken out of a row: that of a
larger one need not be the number that was added."""


class StreamedAttention(UnstoredAttention):
    """Weights as a state per row, and weighted values, that follow single keys.

    A changed key or value costs a column: its previous numerators are computed again
    and taken out of the totals of all rows. Those are in double precision; the weighted
    values follow when they are read. Other changes are as in `UnstoredAttention`.

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
        self._exchanged = np.zeros(self._known.shape)  # (..., h, n_q)
        self._mixtures: dict[Index, WeightedValues] = {}  # by matrix, once it is read

    def _mixture(self, lead: Index) -> WeightedValues:
        """Return the weighted values of one matrix."""
        if lead not in self._mixtures:
            shape = self._known.shape[-1], self._values.shape[-1]
            new = WeightedValues(*shape, self._values.dtype)
            # Another thread may have stored one meanwhile.
            return self._mixtures.setdefault(lead, new)
        return self._mixtures[lead]

    def mixed(self, lead: Index, rows: Selection) -> Array:
        self._ensure(lead, rows, self._known & self._mixed)
        leads = self._matrices(lead)
        parts = self._parted(np.arange(self._known.shape[-1])[rows])
        shape = Part(lead, rows).of(self.streamed.state).shape[:-1]  # (..., rows)
        mixed = np.empty((*shape, self._values.shape[-1]), self._values.dtype)
        each = mixed.reshape(len(leads), *mixed.shape[-2:])  # (matrices, rows, d_v)

        def mix(part: tuple[int, int]) -> None:
            matrix, number = part
            few, one = parts[number], leads[matrix]
            first = number * QUERIES
            sums = self._exact_sums(one, few)  # (few, d_v)
            out = each[matrix][first : first + len(sums)]
            np.divide(sums, self._divisor(one, few), out=out, casting="same_kind")

        work = MOST_KEYS * mixed.size
        with one_blas_thread(work), np.errstate(all="ignore"):
            in_threads(mix, list(np.ndindex(len(leads), len(parts))))
        return mixed

    def _exact_sums(self, lead: Index, rows: Selection) -> Array:
        """Return the sums of some rows, attended again where they are far off."""
        sums = self._sums(lead, rows)  # (rows, d_v)
        far = ~self._mixture(lead).near(rows, sums)  # (rows,)
        if far.any():
            again = np.arange(self._known.shape[-1])[rows][far]
            self._mixed[lead][again] = False
            self._ensure(lead, again, self._mixed)
            sums[far] = self._sums(lead, again)
        return sums

    def _sums(self, lead: Index, rows: Selection) -> Array:
        """Return the values times the numerators of some rows, (rows, d_v)."""
        mixture = self._mixture(lead)
        keys = mixture.keys
        values = share(self._values, lead, self._group)[keys]  # (keys, d_v)
        return mixture.sums(rows, self._numerators(lead, rows, keys), values)

    def _numerators(self, lead: Index, rows: Selection, keys: IndexArray) -> Array:
        """Return the numerators of some keys, shape (rows, keys)."""
        scores = self.streamed.scores.last(Part(lead, rows, keys))  # (rows, keys)
        shift = self.streamed.state[lead][rows][:, :1]  # (rows, 1)
        return self.streamed.normalizer.numerators(scores, shift, out=scores)

    def _divisor(self, lead: Index, rows: Selection) -> Array:
        """Return what the numerators of some rows are divided by, (rows, 1)."""
        divisor = self.streamed.normalizer.divisor(self.streamed.state[lead][rows])
        assert divisor is not None
        return divisor

    def update(
        self, dirty: Mapping[str, Dirty], previous: Mapping[str, Array]
    ) -> DirtyBlocks:
        moved, (queries, keys, _) = self._moved(dirty), self._tokens(dirty)
        if moved is None or queries is None or keys is None:
            return super().update(dirty, previous)
        known = [lead for lead in self._matrices(()) if self._known[lead].any()]
        for lead in known:
            self._known[lead][queries] = False
            if moved.size > MOST_FOLLOWED:
                self._mixed[lead] = False
                del self._mixtures[lead]
        for first in range(0, moved.size, MOST_KEYS):
            few = moved[first : first + MOST_KEYS]
            if moved.size <= MOST_FOLLOWED:
                with self.earlier(moved[first:], dirty, previous):
                    for lead in known:
                        self._note_keys(lead, few)
            with self.earlier(few, dirty, previous):
                self._add(known, few, -1)
            self._add(known, few, 1)
        if moved.size:
            for lead in known:
                self._known[lead] &= ~self._drifted(lead)
        return self._blocks(queries, keys, None)

    def _note_keys(self, lead: Index, keys: IndexArray) -> None:
        """Keep what the weighted values of one matrix contain of keys that change."""
        mixture = self._mixture(lead)
        current = mixture.later & self._known[lead] & self._mixed[lead]  # (n_q,)
        more = np.setdiff1d(keys, mixture.keys)
        many = np.count_nonzero(current) > current.size // FEW
        if many or mixture.keys.size + more.size > MOST_KEYS:
            self._fold_in_changes(lead)
            more = keys
        else:
            self._mixed[lead][current] = False
        mixture.add_keys(more, share(self._values, lead, self._group)[more])
        self._each_block(
            lambda rows: mixture.keep(rows, more, self._numerators(lead, rows, more)),
            more.size,
        )

    def _fold_in_changes(self, lead: Index) -> None:
        """Fold the changes of keys into the weighted values of one matrix."""
        mixture = self._mixture(lead)

        def take(rows: slice) -> None:
            mixture.round(rows, self._sums(lead, rows), self._divisor(lead, rows))

        self._each_block(take, mixture.keys.size)
        mixture.forget_keys()

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
        self._mixture(lead).put(rows, sums, self._divisor(lead, rows))
        self._exchanged[lead][rows] = 0
        self._note(lead, rows)

    def known(self, lead: Index, rows: Selection) -> BoolArray:
        """Return which of some rows of one matrix are known, shape (rows,)."""
        known: BoolArray = self._known[lead][rows]
        return known

    def _add(self, leads: Sequence[Index], keys: IndexArray, sign: int) -> None:
        """Add the numerators of some keys to the totals of all rows."""
        for lead in leads:
            values = share(self._values, lead, self._group)[keys]  # (keys, d_v)
            sizes = np.abs(values).max(axis=-1).astype(np.float64)  # (keys,)
            self._each_block(partial(self._add_to, lead, keys, sizes, sign), keys.size)
            self._touched += self._known.shape[-1] * keys.size

    def _add_to(
        self, lead: Index, keys: IndexArray, sizes: Array, sign: int, rows: slice
    ) -> None:
        """Add to the totals of some rows; the largest of each value is its size."""
        state = self.streamed.state[lead][rows]  # (rows, 2)
        scores = self.streamed.scores.last(Part(lead, rows, keys))  # (rows, keys)
        self._known[lead][rows] &= ~_unsure(scores)
        numerate = self.streamed.normalizer.numerators
        kept = numerate(scores, state[:, :1], out=scores).astype(np.float64)
        total = kept.sum(axis=-1)  # (rows,)
        state[:, 1] += sign * total
        self._exchanged[lead][rows] += total
        self._mixture(lead).exchanged[rows] += kept @ sizes

    def _each_block(self, work: Callable[[slice], None], n_keys: int) -> None:
        """Process all rows of a matrix, a block at a time."""
        n_q, d_v = self._known.shape[-1], self._values.shape[-1]
        with one_blas_thread(n_q * n_keys * d_v):
            in_threads(work, list(strips(slice(0, n_q), _ROWS)))

    def _forget(self, reached: Dirty) -> None:
        super()._forget(reached)
        for lead in list(self._mixtures):
            if not self._known[lead].any():
                del self._mixtures[lead]

    def _drifted(self, lead: Index) -> BoolArray:
        """Return which rows must be recomputed to remain exact, shape (n_q,)."""
        total = self.streamed.state[lead][:, 1]  # (n_q,)
        near = self._exchanged[lead] <= _MOST_EXCHANGED * total
        exact: BoolArray = near & np.isfinite(total)
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
