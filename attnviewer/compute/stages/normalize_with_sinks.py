"""Turns scores into attention weights, beside a learned sink of each head."""

from collections.abc import Sequence

import numpy as np

from attnviewer.compute.arrays import Array, Index, Part, Shape
from attnviewer.compute.changes import EVERYTHING, Dirty
from attnviewer.compute.normalizers.sink_softmax import SinkSoftmax
from attnviewer.compute.stages.base import Steps, number
from attnviewer.compute.stages.normalize import Normalize


class NormalizeWithSinks(Normalize):
    """weights = softmax of each row of scores and its head's sink, without the sink.

    Parameters
    ----------
    source : str
        The step that holds the scores.
    normalizer : SinkSoftmax
        The normaliser, whose logits are the input ``sinks``: (h,), or (1, h) as a
        document keeps them.

    References
    ----------
    See `SinkSoftmax`.
    """

    normalizer: SinkSoftmax

    def __init__(self, source: str, normalizer: SinkSoftmax) -> None:
        super().__init__(source, normalizer)
        self.inputs = (source, "sinks")

    def forward(self, part: Part, *inputs: Array, out: Array | None = None) -> Array:
        scores, sinks = inputs
        rows = Part(part.lead, part.rows).of(scores)  # (..., rows, n_k)
        logits = _logits(sinks, scores.shape)[part.lead]  # (..., 1, 1)
        shares = self.normalizer.shares(rows, logits)  # (..., rows, n_k + 1)
        return shares[..., :-1][..., part.columns]

    def reach(self, dirty: Sequence[Dirty | None], shape: Shape) -> Dirty | None:
        scores, sinks = dirty
        return super().reach([scores], shape) if sinks is None else EVERYTHING

    def backward(
        self, inputs: Sequence[Array], output: Array, gradient: Array
    ) -> Sequence[Array | None]:
        scores, sinks = inputs
        logits = _logits(sinks, scores.shape)  # (..., 1, 1)
        on_scores, on_logits = self.normalizer.shares_backward(scores, logits, gradient)
        # Summed over rows and batch, but not over several numbers.
        *numbers, _, _ = gradient.shape[: gradient.ndim - output.ndim + 2]
        first_of_batch, head = len(numbers), on_logits.ndim - min(scores.ndim, 3)
        axes = (*range(first_of_batch, head), -2, -1)
        return on_scores, on_logits.sum(axis=axes).reshape(*numbers, *sinks.shape)

    def normalizer_at(self, steps: Steps, row: Index) -> SinkSoftmax:
        *lead, _ = row
        head = lead[-1] if lead else 0
        first = (0,) * (len(steps.shape("sinks")) - 1)
        return self.normalizer.with_sink(number(steps, "sinks", (*first, head)))


def _logits(sinks: Array, scores: Shape) -> Array:
    """Return the sink of each head beside its scores, shape (..., 1, 1)."""
    heads = sinks.reshape(-1, 1, 1) if len(scores) > 2 else sinks.reshape(1, 1)
    return np.broadcast_to(heads, (*scores[:-2], 1, 1))
