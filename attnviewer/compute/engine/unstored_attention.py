"""Weights of which no n × n array is stored, and weighted values, kept up to date."""

from collections.abc import Mapping, Sequence

import numpy as np

from attnviewer.compute.arrays import ALL, Array, Index, IndexArray, Part, Selection
from attnviewer.compute.changes import Dirty
from attnviewer.compute.engine.incremental_attention import DirtyBlocks
from attnviewer.compute.engine.on_demand_attention import OnDemandAttention
from attnviewer.compute.engine.reached import reached_blocks
from attnviewer.compute.passes import each_part, mixing
from attnviewer.compute.row_blocks import rows_at_once, runs
from attnviewer.compute.sections import Pipeline
from attnviewer.compute.threads import one_blas_thread
from attnviewer.compute.weights import Weights


class UnstoredAttention(OnDemandAttention):
    """Weights that are computed when they are read, and weighted values.

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

    def ensure(self, lead: Index, rows: Selection) -> None:
        n_q, n_k = self._plain.scores.shape[-2:]
        every = np.arange(n_q)[rows] if isinstance(rows, slice) else rows
        parts: list[tuple[Index, Selection]] = []
        for matrix in self._matrices(lead):
            unknown = every[~self._known[matrix][every]]
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
        self._known[lead][rows] = True
        count = self._known[lead][rows].size
        self._touched += count * self._plain.scores.shape[-1]

    def _attend(self, lead: Index, rows: Selection) -> None:
        """Compute some rows of one matrix of the weighted values."""
        assert isinstance(rows, slice)
        attend = mixing(self._plain, self._pipeline.mix, self._values, self._heads)
        attend((lead, rows))
        self._note(lead, rows)

    def mixed(self, lead: Index, rows: Selection) -> Array:
        self.ensure(lead, rows)
        return np.array(self._heads[lead][..., rows, :])

    def update(
        self, dirty: Mapping[str, Dirty], previous: Mapping[str, Array]
    ) -> DirtyBlocks:
        scores, mix = self._plain.scores, self._pipeline.mix
        if dirty.keys() & set(scores.others):
            scores.spread()
        reached = reached_blocks(self._pipeline, self._steps, dirty)
        if (heads := reached.get(mix.name)) is not None:
            self._forget(heads)
        steps = {
            name: (reached[name],) if name in reached else ()
            for name in (*self._pipeline.weighed, mix.name)
        }
        return DirtyBlocks(steps, steps[self._pipeline.weights])

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
