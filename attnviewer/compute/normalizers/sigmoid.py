"""The logistic function of each score, without a sum over the row."""

import math
from dataclasses import dataclass

import numpy as np

from attnviewer.compute.arrays import Array, BoolArray
from attnviewer.compute.expression import Expression
from attnviewer.compute.functions import Logarithm, Logistic
from attnviewer.compute.normalizers.base import weighted
from attnviewer.compute.normalizers.separable import Separable
from attnviewer.compute.rules import KEYS, SCORE, Named


@dataclass(frozen=True)
class Sigmoid(Separable):
    """αᵢⱼ = σ(sᵢⱼ − log n) with σ(x) = 1 / (1 + e^(−x)) and n keys in the row.

    Each key is weighted independently, so rows need not add up to 1; the log n keeps
    their sums near 1 while the scores are small. Masked keys count in n. The `shift` is
    log n, a part of the formula, so it must not be changed.

    Parameters
    ----------
    length_bias : bool
        Whether log n is subtracted; without it, αᵢⱼ = σ(sᵢⱼ).

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
    sentence = (
        "The sigmoid weighs each key by itself, from 0 to 1: keys do not "
        "compete, and a row may add up to anything."
    )
    convex = False
    whole_rows = True
    formula = "sigmoid({source} − log n)"
    masked_note = "σ(−∞) = 0"

    length_bias: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.length_bias, bool):
            raise TypeError(
                "The 'length_bias' option must be True or False. "
                f"Got {self.length_bias!r} instead."
            )

    @property
    def rule(self) -> Expression:
        if not self.length_bias:
            return Logistic(SCORE)
        return Logistic(SCORE - Named("bias", Logarithm(KEYS)))

    @property
    def plain_rule(self) -> str:
        exponent = "log n − sⱼ" if self.length_bias else "−sⱼ"
        return f"1 / (1 + e^({exponent}))"

    @property
    def symbols(self) -> str:
        return f"{super().symbols}, σ(x) = 1 / (1 + e^(−x)) = e^x / (1 + e^x)"

    def shift(self, scores: Array) -> Array:
        shape = (*scores.shape[:-1], 1)
        return np.full(shape, self._bias(scores), scores.dtype)  # (..., n_q, 1)

    def numerators(self, scores: Array, shift: Array, *, out: Array) -> Array:
        # 1 / (1 + inf) is 0, as intended.
        with np.errstate(over="ignore"):
            np.subtract(shift, self._tempered(scores, out=out), out=out)
            np.exp(out, out=out)
        out += 1
        return np.reciprocal(out, out=out)

    def divide_by(self, shift: Array, total: Array) -> Array:
        return np.ones_like(total)  # (..., n_q, 1)

    def keeps_state(
        self, before: Array, after: Array, state: Array, first: int = 0
    ) -> BoolArray:
        # Each key is weighted by itself.
        return np.ones(before.shape[:-1], dtype=bool)

    @np.errstate(over="ignore", invalid="ignore")
    def backward(self, scores: Array, weights: Array, gradient: Array) -> Array:
        on_scores = weighted(weights * (1 - weights), gradient)  # (..., n_q, n_k)
        return self._tempered(on_scores, out=on_scores)

    def described(self, source: str) -> str:
        described = super().described(source)
        return described if self.length_bias else described.replace(" − log n", "")

    def _why_not_written(self, scores: Array, column: int) -> str:
        score = float(scores[column]) / self.temperature
        if math.isfinite(score):  # whatever the other keys have
            return ""
        if score == math.inf:
            over = "" if math.isinf(scores[column]) else " over the temperature"
            return f"The score{over} is +∞, and σ(∞) = 1."
        return super()._why_not_written(scores, column)

    def _bias(self, scores: Array) -> float:
        return math.log(scores.shape[-1]) if self.length_bias else 0.0
