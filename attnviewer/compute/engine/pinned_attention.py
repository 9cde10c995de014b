"""Weights with pins and their weighted values, kept up to date."""

from collections.abc import Mapping

import numpy as np

from attnviewer.compute.arrays import ALL, Array, Index, Selection
from attnviewer.compute.changes import Dirty
from attnviewer.compute.engine.incremental_attention import (
    DirtyBlocks,
    IncrementalAttention,
)
from attnviewer.compute.engine.on_demand_attention import OnDemandAttention
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
        # The numerator of a pinned weight changes with the divisor of its row, and the
        # others share what it leaves.
        pinned = Dirty(rows=self._weights.pinned_rows(()))
        steps = dict(dirty_blocks.steps)
        steps[self._mixed] += (pinned,)
        return DirtyBlocks(steps, (*dirty_blocks.numerators, pinned))

    def heads(self) -> Array:
        heads = self._attention.heads()  # (..., h, n_q, d_v)
        self._mix_pinned(heads, (), ALL)
        return heads

    def _mix_pinned(self, mixed: Array, lead: Index, rows: Selection) -> None:
        """Mix those of some rows again that have pinned weights.

        Parameters
        ----------
        mixed : ndarray, shape (..., rows, d_v)
            The weighted values; overwritten where weights are pinned.
        lead : tuple of int
            Batch item and head of one matrix; () for all.
        rows : slice or ndarray of intp
            The rows.
        """
        values = self._steps[self._values]  # (..., h_kv, n_k, d_v)
        *axes, n_q, _ = shape = self._weights.scores.shape
        group = shared_by(shape, values.shape)
        every = np.arange(n_q)[rows]
        for matrix in [lead] if lead else np.ndindex(*axes):
            pinned = np.isin(every, self._weights.pinned_rows(matrix))  # (rows,)
            if pinned.any():
                weights = self._weights.held(matrix, every[pinned])
                own = mixed[matrix[len(lead) :]]  # (rows, d_v)
                own[pinned] = weights @ share(values, matrix, group)


class OnDemandPinnedAttention(PinnedAttention, OnDemandAttention):
    """The same over an attention whose rows are computed when they are first read.

    Parameters
    ----------
    attention : OnDemandAttention
        The attention without these pins.
    pipeline, steps
        As in `PinnedAttention`.
    """

    _attention: OnDemandAttention

    def ensure(self, lead: Index, rows: Selection) -> None:
        self._attention.ensure(lead, rows)

    def mixed(self, lead: Index, rows: Selection) -> Array:
        mixed = self._attention.mixed(lead, rows)
        self._mix_pinned(mixed, lead, rows)
        return mixed
