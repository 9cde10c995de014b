"""Softmax beside a learned sink."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from attnviewer.compute.arrays import Array
from attnviewer.compute.expression import Expression, Maximum, Number
from attnviewer.compute.functions import Exponential
from attnviewer.compute.normalizers.base import Normalizer
from attnviewer.compute.normalizers.softmax import Softmax
from attnviewer.compute.number_text import short_number
from attnviewer.compute.rules import SCORE, SINK, Named, RowMaximum, RowSum, in_symbols


def _rule(sink: Expression) -> Expression:
    largest = Named("largest", Maximum(sink, RowMaximum(SCORE)), "mᵢ")
    exponentials = Named("exponentials", Exponential(SCORE - largest))
    beside = Named("beside", Exponential(sink - largest))
    return exponentials / Named("total", beside + RowSum(exponentials))


_RULE: Final = _rule(SINK)


@dataclass(frozen=True)
class SinkSoftmax(Normalizer):
    """αᵢⱼ = e^(sᵢⱼ) / (e^b + Σₖ e^(sᵢₖ)): softmax beside one more key, of score b.

    That key, the sink, is learned. It takes part in the sum and is then left out;
    softmax1 has b = 0.
    The logit b stands beside the scores as they are after scale, soft cap, mask and
    temperature, none of which acts on it.

    Parameters
    ----------
    temperature : float
        The divisor of the scores.
    sink : Expression
        The logit. Each head has its own, so that its number is only known where a row
        is, see `with_sink`; before, there is only the rule.

    References
    ----------
    OpenAI 2025, "gpt-oss-120b & gpt-oss-20b Model Card", section 2.3; Xiao et al. 2023,
    "Efficient Streaming Language Models with Attention Sinks", for what sinks do.
    """

    name = "sink_softmax"
    title = "softmax with a sink"
    sentence = (
        "Softmax with one more key, the sink, whose score is learned: what goes to it "
        "goes to no token."
    )
    plain_rule = "e^sⱼ / (e^b + Σₖ e^sₖ)"
    formula = "softmax([{source}, sinks])"
    masked_note = "e^(−∞) = 0"
    convex = False
    shares_infinity = True

    sink: Expression = SINK

    @property
    def rule(self) -> Expression:
        return _rule(self.sink)

    @property
    def symbols(self) -> str:
        return in_symbols(_RULE)

    def with_sink(self, logit: Number) -> "SinkSoftmax":
        """Return the normaliser of the rows of a head, given the logit of its sink."""
        return replace(self, sink=logit)

    def shares(self, scores: Array, logits: Array) -> Array:
        """Return the weights, and last what goes to the sink, (..., n_q, n_k + 1).

        Parameters
        ----------
        scores : ndarray, shape (..., n_q, n_k)
            Whole rows.
        logits : ndarray, shape (..., 1, 1)
            The sink of each head.
        """
        shares = Softmax(self.temperature).normalize(self._beside(scores, logits))
        return shares.astype(scores.dtype, copy=False)

    @np.errstate(over="ignore")
    def shares_backward(
        self, scores: Array, logits: Array, gradient: Array
    ) -> tuple[Array, Array]:
        """Return the gradients on scores and, row by row, logits.

        Parameters
        ----------
        scores, logits
            As in `shares`.
        gradient : ndarray, shape (..., n_q, n_k)
            The gradient of some number on the weights.
        """
        shares = self.shares(scores, logits)  # (..., n_q, n_k + 1)
        on_shares = np.zeros((*gradient.shape[:-1], shares.shape[-1]), gradient.dtype)
        on_shares[..., :-1] = gradient
        # The temperature divides the scores, and not the logit beside them.
        on_beside = Softmax().backward(scores, shares, on_shares)
        on_scores = on_beside[..., :-1]
        return self._tempered(on_scores, out=on_scores), on_beside[..., -1:]

    def normalize(self, scores: Array) -> Array:
        return self.shares(scores, self._logit(scores))[..., :-1]

    def _beside(self, scores: Array, logits: Array) -> Array:
        """Return the scores with the sink as one more key, (..., n_q, n_k + 1)."""
        if self.temperature != 1.0:
            # The temperature will divide it. Half and single precision cannot represent
            # every product, so all are in double.
            logits = logits.astype(np.float64) * self.temperature
        column = np.broadcast_to(logits, (*scores.shape[:-1], 1))
        return np.concatenate([scores, column], axis=-1)

    def _logit(self, scores: Array) -> Array:
        return np.full((1, 1), self.sink.evaluate(), scores.dtype)

    def _remark(self, scores: Array) -> str:
        shares = self.shares(scores[np.newaxis], self._logit(scores))  # (1, n_k + 1)
        return f"The sink takes {short_number(float(shares[0, -1]))} of this row."
