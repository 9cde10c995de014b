"""The logistic function of each score, without a sum over the row."""

import math
from dataclasses import dataclass, replace

import numpy as np

from attnviewer.compute.arrays import Array
from attnviewer.compute.formula import (
    Cell,
    Difference,
    Exponential,
    Formula,
    Number,
    Quotient,
    Sum,
)
from attnviewer.compute.normalizers.base import Separable, weighted


@dataclass(frozen=True)
class Sigmoid(Separable):
    """αᵢⱼ = σ(sᵢⱼ − log n) with σ(x) = 1 / (1 + e^(−x)) and n keys in the row.

    Each key is weighed by itself, so rows need not add up to 1; the log n keeps
    their sums near it while the scores are small. Masked keys count among the n.
    What `shift` returns is log n: part of the formula, so no other value will do.

    Parameters
    ----------
    length_bias : bool
        Whether log n is taken off; without it, αᵢⱼ = σ(sᵢⱼ).

    Raises
    ------
    TypeError
        If `length_bias` is neither True nor False.

    References
    ----------
    Ramapuram et al. 2024, "Theory, Analysis, and Best Practices for Sigmoid
    Self-Attention", section 2.
    """

    name = "sigmoid"
    title = "sigmoid"
    convex = False
    whole_rows = True
    formula = "sigmoid({source} − log n)"
    symbols = "σ(sᵢⱼ − log n), σ(x) = 1 / (1 + e^(−x)) = e^x / (1 + e^x)"

    length_bias: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.length_bias, bool):
            raise TypeError(
                "The 'length_bias' option must be True or False. "
                f"Got {self.length_bias!r} instead."
            )

    def shift(self, scores: Array) -> Array:
        shape = (*scores.shape[:-1], 1)
        return np.full(shape, self._bias(scores), scores.dtype)  # (..., n_q, 1)

    def numerators(self, scores: Array, shift: Array, *, out: Array) -> Array:
        # 1 / (1 + inf) is the 0 that is meant.
        with np.errstate(over="ignore"):
            np.subtract(shift, self._tempered(scores, out=out), out=out)
            np.exp(out, out=out)
        out += 1
        return np.reciprocal(out, out=out)

    def divide_by(self, shift: Array, total: Array) -> Array:
        return np.ones_like(total)  # (..., n_q, 1)

    @np.errstate(over="ignore", invalid="ignore")
    def backward(self, scores: Array, weights: Array, gradient: Array) -> Array:
        on_scores = weighted(weights * (1 - weights), gradient)  # (..., n_q, n_k)
        return self._tempered(on_scores, out=on_scores)

    def described(self, source: str) -> str:
        return self._without_bias(super().described(source))

    def explain(
        self, scores: Array, column: int, cell: Cell, source: str, limit: int
    ) -> Formula:
        symbols = self._without_bias(self.symbols)
        value = float(self.normalize(scores[np.newaxis])[0, column])
        if np.isneginf(scores[column]):
            note = "The score is −∞, as that of a masked key is: σ(−∞) = 0."
            noted = self._noted(scores, column, cell, source, value, note)
            return replace(noted, symbols=symbols)
        score = self._score(scores, column, cell, source)
        bias, one = Number(self._bias(scores)), Number(1.0)
        # Of the two forms of σ, the one whose exponential is at most 1.
        if score.evaluate() < bias.value:
            power = Exponential(Difference(score, bias))
            small = Number(power.evaluate())
            steps = (
                Quotient(power, Sum((one, power))),
                Quotient(small, Sum((one, small))),
            )
        else:
            power = Exponential(Difference(bias, score))
            small = Number(power.evaluate())
            steps = (Quotient(one, Sum((one, power))), Quotient(one, Sum((one, small))))
        return Formula(cell, value, symbols, steps)

    def _bias(self, scores: Array) -> float:
        return math.log(scores.shape[-1]) if self.length_bias else 0.0

    def _without_bias(self, written: str) -> str:
        return written if self.length_bias else written.replace(" − log n", "")
