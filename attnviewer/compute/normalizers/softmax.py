"""Softmax, computed with the row's maximum subtracted."""

from typing import ClassVar

import numpy as np

from attnviewer.compute.arrays import Array
from attnviewer.compute.functions import Exponential
from attnviewer.compute.normalizers.base import weighted
from attnviewer.compute.normalizers.separable import Separable
from attnviewer.compute.rules import SCORE, Named, RowMaximum, RowSum

_LARGEST = Named("largest", RowMaximum(SCORE), "maxᵢ")
_EXPONENTIALS = Named("exponentials", Exponential(SCORE - _LARGEST))


class Softmax(Separable):
    """αᵢⱼ = e^(sᵢⱼ − mᵢ) / Σₖ e^(sᵢₖ − mᵢ) with mᵢ the row's maximum.

    Subtracting the maximum changes no weight but keeps every exponential at most 1,
    so no finite score overflows. A row masked as a whole gets zero weights. If
    the maximum is +inf, the cells that hold it share the row equally: the limit
    of the formula.

    References
    ----------
    Vaswani et al. 2017, "Attention Is All You Need", equation 1; Blanchard et al.
    2021, "Accurately computing the log-sum-exp and softmax functions".
    """

    name = "softmax"
    title = "softmax"
    sentence = (
        "Softmax makes every weight positive and each row add up to 1, for "
        "negative scores too, where dividing by a plain sum fails."
    )
    plain_rule = "e^sⱼ / Σₖ e^sₖ"
    rule = _EXPONENTIALS / Named("total", RowSum(_EXPONENTIALS))
    masked_note = "e^(−∞) = 0"
    exponential = True
    shares_infinity = True
    beside: ClassVar[tuple[float, ...]] = ()
    """Fixed scores that take part in every row, besides those of its keys."""

    def shift(self, scores: Array) -> Array:
        lowest = max(self.beside, default=-np.inf)
        largest: Array = scores.max(axis=-1, keepdims=True, initial=lowest)
        return largest  # (..., n_q, 1)

    def numerators(self, scores: Array, shift: Array, *, out: Array) -> Array:
        if shift.any() or self.temperature != 1:
            scores = self._below(scores, shift, out=out)
        return np.exp(scores, out=out)

    def divide_by(self, shift: Array, total: Array) -> Array:
        for score in self.beside:
            share = np.full_like(shift, score)  # (..., n_q, 1)
            total = total + self.numerators(share, shift, out=share)
        return np.where(total == 0, 1, total)  # (..., n_q, 1)

    @np.errstate(over="ignore", invalid="ignore")
    def backward(self, scores: Array, weights: Array, gradient: Array) -> Array:
        inner = weighted(weights, gradient).sum(axis=-1, keepdims=True)  # (..., n_q, 1)
        on_scores = weighted(weights, gradient - inner)  # (..., n_q, n_k)
        return self._tempered(on_scores, out=on_scores)

    def _why_not_written(self, scores: Array, column: int) -> str:
        if np.isneginf(scores).all():
            return "Every score of this query is −∞: its weights are zero."
        if not np.isfinite(float(scores.max()) / self.temperature):
            return self._infinite_note(scores) or (
                "The row's largest score over the temperature is not finite; the "
                "exponentials cannot be written out."
            )
        return super()._why_not_written(scores, column)
