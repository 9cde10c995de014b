"""Weights with pins and their weighted values, kept up to date."""

from collections.abc import Mapping

import numpy as np

from attnviewer.compute.arrays import Array
from attnviewer.compute.changes import Dirty
from attnviewer.compute.engine.incremental_attention import (
    DirtyBlocks,
    IncrementalAttention,
)
from attnviewer.compute.pinned_weights import PinnedWeights
from attnviewer.compute.sections import Pipeline
from attnviewer.compute.stages.shared_heads import share, shared_by


class PinnedAttention(IncrementalAttention):
    """An attention whose weights are pinned after they are brought up to date.

    Only the rows with pinned weights are mixed again.

    Parameters
    ----------
    attention : IncrementalAttention
        The attention without these pins, whose `heads` are computed at each call.
    pipeline : Pipeline
        All stages.
    steps : mapping of str to ndarray
        Where the values are read.
    """

    def __init__(
        self,
        attention: IncrementalAttention,
        pipeline: Pipeline,
        steps: Mapping[str, Array],
    ) -> None:
        self._attention = attention
        self._weights = PinnedWeights(attention.weights, pipeline.normalize)
        self._mixed, self._values = pipeline.mix.inputs
        self._steps = steps

    @property
    def weights(self) -> PinnedWeights:
        return self._weights

    @property
    def touched(self) -> int:
        return self._attention.touched

    @property
    def compared(self) -> frozenset[str]:
        return self._attention.compared

    def update(
        self, dirty: Mapping[str, Dirty], previous: Mapping[str, Array]
    ) -> DirtyBlocks:
        dirty_blocks = self._attention.update(dirty, previous)
        if dirty_blocks.steps.get(self._mixed):
            self._weights.forget()
        if not dirty_blocks.numerators:
            return dirty_blocks
        # The numerator of a pinned weight changes with the divisor of its row.
        pinned = Dirty(rows=self._weights.pinned_rows(()))
        return DirtyBlocks(dirty_blocks.steps, (*dirty_blocks.numerators, pinned))

    def heads(self) -> Array:
        heads = self._attention.heads()  # (..., h, n_q, d_v)
        values = self._steps[self._values]  # (..., h_kv, n_k, d_v)
        shape = self._weights.scores.shape
        group = shared_by(shape, values.shape)
        for lead in np.ndindex(shape[:-2]):
            rows = self._weights.pinned_rows(lead)
            if rows.size:
                weights = self._weights.held(lead, rows)
                heads[lead][rows] = weights @ share(values, lead, group)
        return heads
