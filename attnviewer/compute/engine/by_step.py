"""Weights and weighted values that are computed again as wholes with every edit."""

from collections.abc import Mapping

from attnviewer.compute.arrays import Array
from attnviewer.compute.changes import EVERYTHING, Dirty
from attnviewer.compute.engine.incremental_attention import (
    DirtyBlocks,
    IncrementalAttention,
)
from attnviewer.compute.progress import Progress
from attnviewer.compute.sections import Pipeline
from attnviewer.compute.stored_weights import attend_by_step
from attnviewer.compute.weights import Weights


class AttentionByStep(IncrementalAttention):
    """Weights and weighted values of a computation with a mistake.

    A mistake may mix rows and heads, so that any edit may reach every cell.

    Parameters
    ----------
    pipeline : Pipeline
        All stages.
    steps : dict of str to ndarray
        Where the steps before the scores are read; those from the scores to the
        weights are written into it.
    progress : callable, optional
        Called with 1.0 once all is computed.
    """

    def __init__(
        self,
        pipeline: Pipeline,
        steps: dict[str, Array],
        progress: Progress | None = None,
    ) -> None:
        self._pipeline, self._steps = pipeline, steps
        self._stages = pipeline.comparison, *pipeline.on_scores, *pipeline.weighing
        self._touched = 0
        self._attend()
        if progress is not None:
            progress(1.0)

    def _attend(self) -> None:
        self._weights, self._heads = attend_by_step(self._pipeline, self._steps)
        self._touched += self._steps[self._pipeline.weights].size

    @property
    def weights(self) -> Weights:
        return self._weights

    @property
    def touched(self) -> int:
        return self._touched

    def update(
        self, dirty: Mapping[str, Dirty], previous: Mapping[str, Array]
    ) -> DirtyBlocks:
        stages = *self._stages, self._pipeline.mix
        names = [stage.name for stage in stages]
        read = {name for stage in stages for name in stage.inputs}
        if not dirty.keys() & read:
            return DirtyBlocks(dict.fromkeys(names, ()))
        self._attend()
        return DirtyBlocks(dict.fromkeys(names, (EVERYTHING,)))

    def heads(self) -> Array:
        return self._heads
