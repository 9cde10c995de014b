"""Weights and weighted values of any stages, recomputed where an edit reaches."""

from collections.abc import Mapping

import numpy as np

from attnviewer.compute.arrays import Array, Index
from attnviewer.compute.changes import EVERYTHING, Dirty, union
from attnviewer.compute.engine.incremental_attention import (
    Blocks,
    DirtyBlocks,
    IncrementalAttention,
)
from attnviewer.compute.engine.reached import covering, reached_blocks
from attnviewer.compute.progress import Progress
from attnviewer.compute.row_blocks import blocks
from attnviewer.compute.scores import Scores
from attnviewer.compute.sections import Pipeline
from attnviewer.compute.threads import in_threads
from attnviewer.compute.weights import WeightsByStage


class AttentionByStage(IncrementalAttention):
    """Weights and weighted values, recomputed where `reach` of the stages says so.

    Parameters
    ----------
    scores : Scores
        The scores.
    pipeline : Pipeline
        All stages.
    steps : mapping of str to ndarray
        Where the steps before the scores are read; their arrays must stay the same.
    progress : callable, optional
        Called with the completed fraction of the weights.
    """

    def __init__(
        self,
        scores: Scores,
        pipeline: Pipeline,
        steps: Mapping[str, Array],
        progress: Progress | None = None,
    ) -> None:
        self._scores, self._steps, self._pipeline = scores, steps, pipeline
        self._mix = pipeline.mix.unpinned
        self._stages = pipeline.comparison, *pipeline.on_scores, *pipeline.weighing
        self._kept = np.zeros(scores.shape, scores.dtype)  # (..., h, n_q, n_k)
        self._weights = WeightsByStage(scores, pipeline, steps, self._kept)
        self._touched = 0
        values = steps[self._mix.inputs[1]]  # (..., h_kv, n_k, d_v)
        shape = (*scores.shape[:-1], values.shape[-1])
        self._heads = np.empty(shape, values.dtype)  # (..., h, n_q, d_v)
        self._stale: Dirty | None = EVERYTHING
        self._weigh(list(blocks(scores.shape)), progress)

    @property
    def weights(self) -> WeightsByStage:
        return self._weights

    @property
    def touched(self) -> int:
        return self._touched

    def update(
        self, dirty: Mapping[str, Dirty], previous: Mapping[str, Array]
    ) -> DirtyBlocks:
        if dirty.keys() & set(self._scores.others):
            self._scores.spread()
        reached = reached_blocks(self._pipeline, self._steps, dirty)
        steps: dict[str, Blocks] = {
            stage.name: (reached[stage.name],) if stage.name in reached else ()
            for stage in (*self._stages, self._mix)
        }
        weights = reached.get(self._mix.inputs[0])
        if weights is not None:
            self._weigh(list(covering(weights, self._scores.shape)))
        self._stale = union([self._stale, reached.get(self._mix.name)])
        return DirtyBlocks(steps)

    def heads(self) -> Array:
        if self._stale is not None:
            inputs = self._kept, self._steps[self._mix.inputs[1]]
            self._mix.update(inputs, self._heads, self._stale)
            self._stale = None
        return self._heads

    def _weigh(
        self, parts: list[tuple[Index, slice]], progress: Progress | None = None
    ) -> None:
        done: list[int] = []

        def weigh(part: tuple[Index, slice]) -> None:
            weights, _ = self._weights.weigh(*part)  # (..., rows, n_k)
            done.append(weights.size)
            if progress is not None:
                progress(len(done) / len(parts))

        in_threads(weigh, parts)
        self._touched += sum(done)
