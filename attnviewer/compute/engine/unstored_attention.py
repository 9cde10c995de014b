"""Weights of which no n × n array is stored, and weighted values, kept up to date."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from attnviewer.compute.arrays import Array, Index
from attnviewer.compute.changes import Dirty
from attnviewer.compute.engine.incremental_attention import (
    DirtyBlocks,
    IncrementalAttention,
)
from attnviewer.compute.engine.reached import covering, reached_blocks
from attnviewer.compute.passes import each_part, mixing
from attnviewer.compute.progress import Progress
from attnviewer.compute.sections import Pipeline
from attnviewer.compute.weights import Weights


class UnstoredAttention(IncrementalAttention):
    """Weights that are computed when they are read, and weighted values.

    The rows that an edit reaches are attended again.

    Parameters
    ----------
    weights : Weights
        The weights, without pins.
    pipeline : Pipeline
        All stages.
    steps : mapping of str to ndarray
        Where the steps before the scores are read; their arrays must stay the same.
    progress : callable, optional
        Called with the completed fraction of the rows.
    """

    def __init__(
        self,
        weights: Weights,
        pipeline: Pipeline,
        steps: Mapping[str, Array],
        progress: Progress | None = None,
    ) -> None:
        self._weights, self._pipeline, self._steps = weights, pipeline, steps
        values = steps[pipeline.mix.inputs[1]]  # (..., h_kv, n_k, d_v)
        shape = (*weights.scores.shape[:-1], values.shape[-1])
        self._heads = np.empty(shape, values.dtype)  # (..., h, n_q, d_v)
        self._touched = 0
        self._attend(list(weights.blocks()), progress)

    @property
    def weights(self) -> Weights:
        return self._weights

    @property
    def touched(self) -> int:
        return self._touched

    def heads(self) -> Array:
        return self._heads

    def update(
        self, dirty: Mapping[str, Dirty], previous: Mapping[str, Array]
    ) -> DirtyBlocks:
        scores, mix = self._weights.scores, self._pipeline.mix
        if dirty.keys() & set(scores.others):
            scores.spread()
        reached = reached_blocks(self._pipeline, self._steps, dirty)
        heads = reached.get(mix.name)
        if heads is not None:
            whole = heads.rows is None and heads.heads is None
            rows = Dirty(rows=heads.rows, heads=heads.heads)
            parts = self._weights.blocks() if whole else covering(rows, scores.shape)
            self._attend(list(parts))
        steps = {
            name: (reached[name],) if name in reached else ()
            for name in (*self._pipeline.weighed, mix.name)
        }
        return DirtyBlocks(steps, steps[self._pipeline.weights])

    def _attend(
        self, parts: Sequence[tuple[Index, slice]], progress: Progress | None = None
    ) -> None:
        """Compute the weighted values of some rows, and the states of their weights."""
        values = self._steps[self._pipeline.mix.inputs[1]]
        attend = mixing(self._weights, self._pipeline.mix, values, self._heads)
        self._each(attend, parts, progress)

    def _each(
        self,
        attend: Callable[[tuple[Index, slice]], None],
        parts: Sequence[tuple[Index, slice]],
        progress: Progress | None,
    ) -> None:
        each_part(attend, parts, progress)
        n_k = self._weights.scores.shape[-1]
        queries = self._heads[..., 0]  # (..., h, n_q)
        self._touched += n_k * sum(queries[at][..., rows].size for at, rows in parts)
