"""What sparsemax and 1.5-entmax have in common: a threshold, and zeros below it."""

from abc import abstractmethod
from typing import ClassVar

import numpy as np

from attnviewer.compute.arrays import Array
from attnviewer.compute.formula import (
    Cell,
    Difference,
    Expression,
    Formula,
    Number,
    Power,
    Quotient,
)
from attnviewer.compute.normalizers.base import Normalizer, weighted


class Thresholded(Normalizer):
    """αᵢⱼ = max(0, zᵢⱼ − τᵢ)^p with zᵢⱼ = (sᵢⱼ − maxᵢ) / p, and Σⱼ αᵢⱼ = 1.

    The weights of α-entmax, α = 1 + 1/p. The largest z is 0, so −1 ≤ τᵢ < 0: the
    support, the keys with any weight, lies within p of the row's largest score.
    Everything below is clipped before it is summed, and nothing overflows. Masked
    keys, and rows masked as a whole, get zero weights.
    """

    shares_infinity = True
    power: ClassVar[int]

    @abstractmethod
    def thresholds(self, z: Array, count: Array) -> Array:
        """Return what τ would be if the support were the first 1, 2, … keys.

        Parameters
        ----------
        z : ndarray, shape (..., n_q, n_k)
            From the largest to the smallest.
        count : ndarray, shape (n_k,)
            1, 2, …, n_k.
        """

    def state(self, scores: Array) -> Array:
        largest = scores.max(axis=-1, keepdims=True)  # (..., n_q, 1)
        z = np.maximum(self._z(scores, largest), -1)  # (..., n_q, n_k)
        z.sort(axis=-1)
        falling = z[..., ::-1].astype(np.float64)  # (..., n_q, n_k)
        count = np.arange(1, z.shape[-1] + 1)  # (n_k,)
        tau = self.thresholds(falling, count)  # (..., n_q, n_k)
        inside = (falling > tau) & (falling > -1)  # (..., n_q, n_k)
        last = np.maximum(inside.sum(axis=-1, keepdims=True) - 1, 0)  # (..., n_q, 1)
        tau = np.take_along_axis(tau, last, axis=-1).astype(z.dtype)  # (..., n_q, 1)
        return np.concatenate([largest, tau], axis=-1)  # (..., n_q, 2)

    def apply(self, scores: Array, state: Array, first: int = 0) -> Array:
        above = self._z(scores, state[..., :1])  # (..., rows, columns)
        above -= state[..., 1:]
        np.maximum(above, 0, out=above)
        above **= self.power
        return above

    @np.errstate(over="ignore", invalid="ignore")
    def backward(self, scores: Array, weights: Array, gradient: Array) -> Array:
        # The Jacobian of α-entmax (Peters et al. 2019): slopes are α_ij^(2 − α).
        slopes = np.where(weights > 0, weights ** (1 - 1 / self.power), 0)
        total = slopes.sum(axis=-1, keepdims=True)  # (..., n_q, 1)
        inner = weighted(slopes, gradient).sum(axis=-1, keepdims=True)  # (..., n_q, 1)
        mean = inner / np.where(total == 0, 1, total)  # (..., n_q, 1)
        on_scores = weighted(slopes, gradient - mean)  # (..., n_q, n_k)
        return self._tempered(on_scores, out=on_scores)

    def explain(
        self, scores: Array, column: int, cell: Cell, source: str, limit: int
    ) -> Formula:
        state = self.state(scores[np.newaxis])  # (1, 2)
        weights = self.apply(scores[np.newaxis], state)[0]  # (n_k,)
        value = float(weights[column])
        support = int(np.count_nonzero(weights))
        largest = self._score(scores, int(np.argmax(scores)), cell, source)
        tau = Number(float(state[0, 1]))
        if np.isneginf(scores).all():
            note = "Every score of this query is −∞: its weights are zero."
            return self._noted(scores, column, cell, source, value, note)
        if np.isneginf(scores[column]):
            note = "The score is −∞, as that of a masked key is: it gets no weight."
            return self._noted(scores, column, cell, source, value, note)
        if not np.isfinite(largest.evaluate()):
            note = self._infinite_note(scores) or (
                "The row's largest score over the temperature is not finite."
            )
            return self._noted(scores, column, cell, source, value, note)
        reach = -tau.value * self.power * self.temperature
        below = f"{reach:.4g} below the row's largest score"
        if value == 0:
            note = f"Outside the support: its score is at least {below}."
            return self._noted(scores, column, cell, source, value, note)
        note = (
            "τᵢ makes the weights add up to 1. In the support are the keys less than "
            f"{below}: {support} of {scores.size}."
        )
        score = self._score(scores, column, cell, source)
        written_out: Expression = Difference(score, largest)
        if self.power != 1:
            written_out = Quotient(written_out, Number(float(self.power)))
        steps = (
            self._raised(Difference(written_out, tau)),
            self._raised(Difference(Number(written_out.evaluate()), tau)),
        )
        return Formula(cell, value, self.symbols, steps, note)

    def _z(self, scores: Array, largest: Array) -> Array:
        z = self._below(scores, largest, out=np.empty_like(scores))
        z /= self.power
        return z

    def _raised(self, base: Expression) -> Expression:
        return base if self.power == 1 else Power(base, Number(float(self.power)))
