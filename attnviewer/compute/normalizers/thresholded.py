"""The common part of sparsemax and 1.5-entmax: a threshold, and zeros below it."""

from typing import ClassVar

import numpy as np

from attnviewer.compute.arrays import ALL, Array, BoolArray, Selection
from attnviewer.compute.expression import Expression, Maximum, Number, Power
from attnviewer.compute.normalizers.base import Normalizer, weighted
from attnviewer.compute.rules import SCORE, Named, RowMaximum, Threshold, threshold


class Thresholded(Normalizer):
    """αᵢⱼ = max(0, zᵢⱼ − τᵢ)^p with zᵢⱼ = (sᵢⱼ − maxᵢ) / p, and Σⱼ αᵢⱼ = 1.

    The weights of α-entmax, α = 1 + 1/p. The largest z is 0, so −1 ≤ τᵢ < 0: the
    support, the keys with any weight, lies within p of the row's largest score.
    Everything below is clipped before it is summed, and nothing overflows. Masked
    keys, and rows masked as a whole, get zero weights.
    """

    shares_infinity = True
    power: ClassVar[int]

    @property
    def rule(self) -> Expression:
        z = Named("z", _below_largest(self.power))
        above: Expression = Maximum(
            Number(0.0), z - Named("tau", Threshold(z, self.power))
        )
        if self.power == 1:
            return above
        return Power(above, Number(self.power))

    def state(self, scores: Array) -> Array:
        largest = scores.max(axis=-1, keepdims=True)  # (..., n_q, 1)
        tau = threshold(self._z(scores, largest), self.power)  # (..., n_q, 1)
        return np.concatenate([largest, tau], axis=-1)  # (..., n_q, 2)

    def apply(self, scores: Array, state: Array, keys: Selection = ALL) -> Array:
        above = self._z(scores, state[..., :1])  # (..., rows, columns)
        above -= state[..., 1:]
        np.maximum(above, 0, out=above)
        above **= self.power
        return above

    def keeps_state(
        self, before: Array, after: Array, state: Array, first: int = 0
    ) -> BoolArray:
        # Below the threshold, a score counts for nothing. A row that saw no key has
        # none that its first score could be below.
        still = np.isneginf(after) | (state[..., :1] > -np.inf)  # (..., rows, columns)
        for scores in (before, after):
            still &= self.apply(scores, state) == 0
        return np.asarray(still.all(axis=-1))

    @np.errstate(over="ignore", invalid="ignore")
    def backward(self, scores: Array, weights: Array, gradient: Array) -> Array:
        # The Jacobian of α-entmax (Peters et al. 2019): slopes are α_ij^(2 − α).
        slopes = np.where(weights > 0, weights ** (1 - 1 / self.power), 0)
        total = slopes.sum(axis=-1, keepdims=True)  # (..., n_q, 1)
        inner = weighted(slopes, gradient).sum(axis=-1, keepdims=True)  # (..., n_q, 1)
        mean = inner / np.where(total == 0, 1, total)  # (..., n_q, 1)
        on_scores = weighted(slopes, gradient - mean)  # (..., n_q, n_k)
        return self._tempered(on_scores, out=on_scores)

    def _why_not_written(self, scores: Array, column: int) -> str:
        note = super()._why_not_written(scores, column)
        state = self.state(scores[np.newaxis])  # (1, 2)
        if note or self.apply(scores[np.newaxis], state)[0, column]:
            return note
        return f"Outside the support: its score is at least {self._reach(state)}."

    def _remark(self, scores: Array) -> str:
        state = self.state(scores[np.newaxis])  # (1, 2)
        support = int(np.count_nonzero(self.apply(scores[np.newaxis], state)))
        return (
            "τᵢ makes the weights add up to 1. In the support are the keys less than "
            f"{self._reach(state)}: {support} of {scores.size}."
        )

    def _reach(self, state: Array) -> str:
        reach = -float(state[0, 1]) * self.power * self.temperature
        return f"{reach:.4g} below the row's largest score"

    def _z(self, scores: Array, largest: Array) -> Array:
        z = self._below(scores, largest, out=np.empty_like(scores))
        z /= self.power
        return z


def _below_largest(power: int) -> Expression:
    below = SCORE - Named("largest", RowMaximum(SCORE), "maxᵢ")
    return below if power == 1 else below / power
