"""Weights of which no n × n array is stored, and weighted values, kept up to date."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import numpy as np

from attnviewer.compute.arrays import (
    ALL,
    Array,
    BoolArray,
    Index,
    IndexArray,
    Part,
    Selection,
)
from attnviewer.compute.changes import EVERYTHING, Dirty, joined
from attnviewer.compute.engine.computed_steps import restore_rows, rows_before
from attnviewer.compute.engine.incremental_attention import DirtyBlocks
from attnviewer.compute.engine.on_demand_attention import OnDemandAttention
from attnviewer.compute.engine.reached import reached_blocks
from attnviewer.compute.fused_weights import FusedWeights
from attnviewer.compute.passes import each_part, mixing
from attnviewer.compute.row_blocks import rows_at_once, runs
from attnviewer.compute.sections import Pipeline
from attnviewer.compute.threads import one_blas_thread
from attnviewer.compute.weights import Weights

_NO_TOKENS: IndexArray = np.empty(0, np.intp)

KEYS = 16
"""Changed keys that are processed at a time, to limit the memory needed."""

FEW = 16
"""Where more than one in so many tokens has changed, a whole pass is faster."""


class UnstoredAttention(OnDemandAttention):
    """Weights that are computed when they are read, and weighted values.

    After a change of a key, only rows whose states it reaches are computed again.

    Parameters
    ----------
    weights : Weights
        The weights, without pins; their `read` needs the state of the rows.
    pipeline : Pipeline
        All stages.
    steps : mapping of str to ndarray
        Where the steps before the scores are read; their arrays must stay the same.
    """

    def __init__(
        self, weights: Weights, pipeline: Pipeline, steps: Mapping[str, Array]
    ) -> None:
        self._plain, self._pipeline, self._steps = weights, pipeline, steps
        self._weights = _Ensured(weights, self)
        self._known = np.zeros(weights.scores.shape[:-1], bool)  # (..., h, n_q)
        self._mixed = np.zeros(weights.scores.shape[:-1], bool)  # (..., h, n_q)
        self._touched = 0
        self._values = steps[pipeline.mix.inputs[1]]  # (..., h_kv, n_k, d_v)
        self._allocate()

    def _allocate(self) -> None:
        """Allocate memory for the weighted values."""
        shape = (*self._known.shape, self._values.shape[-1])
        self._heads = np.empty(shape, self._values.dtype)  # (..., h, n_q, d_v)

    @property
    def weights(self) -> Weights:
        return self._weights

    @property
    def touched(self) -> int:
        return self._touched

    @property
    def compared(self) -> frozenset[str]:
        return frozenset((self._plain.scores.sides[1], self._pipeline.mix.inputs[1]))

    def ensure(self, lead: Index, rows: Selection) -> None:
        self._ensure(lead, rows, self._known)

    def _ensure(self, lead: Index, rows: Selection, known: BoolArray) -> None:
        """Compute those of some rows that are not known, shape (..., h, n_q)."""
        n_q, n_k = self._plain.scores.shape[-2:]
        every = np.arange(n_q)[rows] if isinstance(rows, slice) else rows
        parts: list[tuple[Index, Selection]] = []
        for matrix in self._matrices(lead):
            unknown = every[~known[matrix][every]]
            parts += [(matrix, few) for few in self._parted(unknown)]
        work = n_k * every.size * self._values.shape[-1]
        with one_blas_thread(work), np.errstate(all="ignore"):
            each_part(lambda part: self._attend(*part), parts)

    def _matrices(self, lead: Index) -> list[Index]:
        return [lead] if lead else list(np.ndindex(self._known.shape[:-1]))

    def _parted(self, rows: IndexArray) -> Sequence[Selection]:
        """Return some rows in parts that are computed at a time."""
        size = rows_at_once(self._plain.scores.shape[-1])
        return [
            slice(first, min(first + size, run.stop))
            for run in runs(rows)
            for first in range(run.start, run.stop, size)
        ]

    def _note(self, lead: Index, rows: Selection) -> None:
        """Record that some rows of one matrix are known now."""
        self._known[lead][rows] = self._mixed[lead][rows] = True
        count = self._known[lead][rows].size
        self._touched += count * self._plain.scores.shape[-1]

    def _attend(self, lead: Index, rows: Selection) -> None:
        """Compute some rows of one matrix of the weighted values."""
        assert isinstance(rows, slice)
        attend = mixing(self._plain, self._pipeline.mix, self._values, self._heads)
        attend((lead, rows))
        self._note(lead, rows)

    def mixed(self, lead: Index, rows: Selection) -> Array:
        self._ensure(lead, rows, self._known & self._mixed)
        return np.array(self._heads[lead][..., rows, :])

    def update(
        self, dirty: Mapping[str, Dirty], previous: Mapping[str, Array]
    ) -> DirtyBlocks:
        scores, mix = self._plain.scores, self._pipeline.mix
        if dirty.keys() & set(scores.others):
            scores.spread()
        moved, (queries, keys, _) = self._moved(dirty), self._tokens(dirty)
        if moved is not None and queries is not None and keys is not None:
            lost = self._forget_reached(moved, queries, dirty, previous)
            if lost is not None:
                return self._blocks(queries, keys, lost)
        reached = reached_blocks(self._pipeline, self._steps, dirty)
        if (heads := reached.get(mix.name)) is not None:
            self._forget(heads)
        steps = {
            name: (reached[name],) if name in reached else ()
            for name in (*self._pipeline.weighed, mix.name)
        }
        return DirtyBlocks(steps, steps[self._pipeline.weights])

    def _tokens(
        self, dirty: Mapping[str, Dirty]
    ) -> tuple[IndexArray | None, IndexArray | None, IndexArray | None]:
        """Return the changed queries, keys and values; None for all."""
        sides = (*self._plain.scores.sides, self._pipeline.mix.inputs[1])
        queries, keys, values = (
            dirty.get(name, Dirty(rows=_NO_TOKENS)).rows for name in sides
        )
        return queries, keys, values

    def _moved(self, dirty: Mapping[str, Dirty]) -> IndexArray | None:
        """Return the few tokens whose keys or values have changed, if nothing else has.

        None where a whole pass is called for.
        """
        pipeline, scores = self._pipeline, self._plain.scores
        more = {name for stage in pipeline.weighing for name in stage.inputs[1:]}
        queries, keys, values = self._tokens(dirty)
        moved = joined(keys, values)
        if (
            dirty.keys() & {*scores.others, *more}
            or queries is None
            or keys is None
            or moved is None
            or queries.size + moved.size > scores.shape[-1] // FEW
        ):
            return None
        return moved

    def _blocks(
        self, queries: IndexArray, keys: IndexArray, rows: IndexArray | None
    ) -> DirtyBlocks:
        """Return what has changed.

        Parameters
        ----------
        queries, keys : ndarray of intp
            The changed tokens.
        rows : ndarray of intp, or None
            Other rows whose weights have changed; None where each total has.
        """
        pipeline = self._pipeline
        blocks = Dirty(rows=queries), Dirty(columns=keys)
        changed = tuple(
            block
            for block, tokens in zip(blocks, (queries, keys), strict=True)
            if tokens.size
        )
        steps = dict.fromkeys(pipeline.weighed, changed)
        steps[pipeline.mix.name] = (EVERYTHING,)
        if rows is None:
            steps[pipeline.weights] = (EVERYTHING,) if changed else ()
            return DirtyBlocks(steps, changed)
        if rows.size:
            steps[pipeline.weights] += (Dirty(rows=rows),)
        return DirtyBlocks(steps, steps[pipeline.weights])

    @contextmanager
    def earlier(
        self,
        keys: IndexArray,
        dirty: Mapping[str, Dirty],
        previous: Mapping[str, Array],
    ) -> Iterator[None]:
        """Restore, in the block, some keys and values as they were before an update.

        Parameters
        ----------
        keys : ndarray of intp
            The keys.
        dirty, previous
            As in `update`.
        """
        now: dict[str, tuple[IndexArray, Array]] = {}
        names = {self._plain.scores.sides[1], self._pipeline.mix.inputs[1]}
        for name in names & dirty.keys():
            rows = dirty[name].rows
            assert rows is not None
            here = np.intersect1d(keys, rows)
            step = self._steps[name]
            now[name] = here, rows_before(step, here)
            own = np.searchsorted(rows, here)
            restore_rows(step, here, previous[name][..., own, :])
        try:
            yield
        finally:
            for name, (here, numbers) in now.items():
                restore_rows(self._steps[name], here, numbers)

    def _forget_reached(
        self,
        moved: IndexArray,
        queries: IndexArray,
        dirty: Mapping[str, Dirty],
        previous: Mapping[str, Array],
    ) -> IndexArray | None:
        """Forget the rows whose states some tokens reach, and return them.

        None where they are not few.

        Parameters
        ----------
        moved, queries : ndarray of intp
            The tokens whose keys or values, and those whose queries, have changed.
        dirty, previous
            As in `update`.
        """
        weights = self._plain
        if not isinstance(weights, FusedWeights):
            return None
        lost, mixed = np.zeros_like(self._known), self._mixed.copy()  # (..., h, n_q)
        parts = (moved[first : first + KEYS] for first in range(0, moved.size, KEYS))
        for keys in (run for part in parts for run in runs(part)):
            for lead in np.ndindex(self._known.shape[:-1]):
                if self._known[lead].any():
                    reached, seen = self._reached(weights, lead, keys, dirty, previous)
                    lost[lead] |= reached & self._known[lead]
                    mixed[lead] &= ~seen
        found = np.flatnonzero(lost.any(axis=tuple(range(lost.ndim - 1))))
        if found.size > self._known.shape[-1] // FEW:
            return None
        self._known &= ~lost
        self._known[..., queries] = False
        self._mixed = mixed
        return found

    def _reached(
        self,
        weights: FusedWeights,
        lead: Index,
        keys: slice,
        dirty: Mapping[str, Dirty],
        previous: Mapping[str, Array],
    ) -> tuple[BoolArray, BoolArray]:
        """Return which rows of a matrix some changed keys reach, shape (n_q,) each.

        Returns
        -------
        reached
            The rows whose states they reach.
        seen
            Those in which they have, or had, any weight.
        """
        part = Part(lead, ALL, keys)
        normalizer, state = weights.normalizer, weights.state[lead]
        with self.earlier(np.arange(keys.start, keys.stop), dirty, previous):
            before = weights.scores.last(part)  # (n_q, keys)
        after = weights.scores.last(part)  # (n_q, keys)
        self._touched += before.size + after.size
        kept = normalizer.keeps_state(before, after, state, keys.start)
        kept |= (before == after).all(axis=-1)
        seen = np.zeros_like(kept)
        for scores in (before, after):
            seen |= (normalizer.apply(scores, state, keys) != 0).any(axis=-1)
        return ~kept, seen

    def _forget(self, reached: Dirty) -> None:
        """Have the rows of a block computed again when they are read."""
        rows = ALL if reached.rows is None else reached.rows
        for lead in self._matrices(()):
            if reached.heads is None or not lead or lead[-1] in reached.heads:
                self._known[lead][rows] = False


class _Ensured(Weights):
    """Weights whose rows are known before they are read."""

    def __init__(self, weights: Weights, attention: OnDemandAttention) -> None:
        self.scores = weights.scores
        self._weights, self._attention = weights, attention

    def reach(self, lead: Index, rows: slice) -> slice:
        return self._weights.reach(lead, rows)

    def weigh(self, lead: Index, rows: slice) -> tuple[Array, Array | None]:
        return self._weights.weigh(lead, rows)

    def read(self, step: str, part: Part) -> Array:
        if step not in self.scores.steps:
            self._attention.ensure(part.lead, part.rows)
        return self._weights.read(step, part)
