"""Weights and weighted values of any stages, recomputed where an edit reaches."""

from collections.abc import Iterator, Mapping

import numpy as np

from attnviewer.compute.arrays import Array, Index, IndexArray
from attnviewer.compute.changes import EVERYTHING, Dirty, union
from attnviewer.compute.engine.incremental_attention import (
    Blocks,
    DirtyBlocks,
    IncrementalAttention,
)
from attnviewer.compute.progress import Progress
from attnviewer.compute.row_blocks import blocks, row_blocks
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
        self._scores, self._steps = scores, steps
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
        reached = {
            name: block.broadcast(self._steps[name].shape)
            for name, block in dirty.items()
        }
        steps: dict[str, Blocks] = {}
        for stage in (*self._stages, self._mix):
            blocks_of = [reached.get(name) for name in stage.inputs]
            steps[stage.name] = ()
            if any(block is not None for block in blocks_of):
                block = stage.reach(blocks_of, self._scores.shape)
                if block is not None:
                    reached[stage.name] = block
                    steps[stage.name] = (block,)
        weights = reached.get(self._mix.inputs[0])
        if weights is not None:
            self._weigh(list(self._blocks(weights)))
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

    def _blocks(self, dirty: Dirty) -> Iterator[tuple[Index, slice]]:
        """Yield matrices and rows that cover a block of the weights."""
        shape = self._scores.shape
        if dirty.rows is None and dirty.heads is None:
            yield from blocks(shape)
            return
        for lead in np.ndindex(shape[:-2]):
            if dirty.heads is None or not lead or lead[-1] in dirty.heads:
                for rows in _runs(dirty.rows, shape[-2]):
                    for part in row_blocks(rows.stop, shape[-1], rows.start):
                        yield lead, part


def _runs(rows: IndexArray | None, n_rows: int) -> list[slice]:
    """Return ascending rows as slices; None stands for all of them."""
    if rows is None:
        return [slice(0, n_rows)]
    runs = np.split(rows, np.flatnonzero(np.diff(rows) > 1) + 1)
    return [slice(int(run[0]), int(run[-1]) + 1) for run in runs if run.size]
