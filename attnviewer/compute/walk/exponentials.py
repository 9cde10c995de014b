"""The exponentials of one row of scores, one number at a time."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from attnviewer.compute.arrays import Array


@dataclass(frozen=True)
class Exponentials:
    """The exponentials of a row, their sum and the shares, as a loop computes them.

    Parameters
    ----------
    scores : ndarray, shape (n_k,)
        The row that is normalised.
    temperature : float
        What the scores are divided by.
    beside : tuple of float
        Scores that have a share of the row beside those of its keys.
    shifted : bool
        Whether the row's maximum is taken off first. Without that, a large score
        makes an exponential that no float can hold.

    References
    ----------
    Blanchard et al. 2021, "Accurately computing the log-sum-exp and softmax
    functions": both forms are the same in exact arithmetic.
    """

    scores: Array
    temperature: float
    beside: tuple[float, ...]
    shifted: bool

    @cached_property
    def largest(self) -> float:
        """The row's maximum."""
        return float(np.max([*self._tempered.tolist(), *self.beside]))

    @cached_property
    def shift(self) -> float:
        """What is taken off each score: the maximum, or nothing."""
        # A row that is masked as a whole has no maximum to take off.
        masked = np.isneginf(self.largest)
        return self.largest if self.shifted and not masked else 0.0

    @cached_property
    def numbers(self) -> Array:
        """The exponentials, shape (n_k,), in the type of the scores."""
        kind = self.scores.dtype.type
        return np.array([self._exp(s, kind) for s in self._tempered.tolist()], kind)

    @cached_property
    def numbers_beside(self) -> Array:
        """The exponentials beside those of the keys, one for each of `beside`."""
        kind = self.scores.dtype.type
        return np.array([self._exp(score, kind) for score in self.beside], kind)

    @cached_property
    def total(self) -> float:
        """Their sum, added one by one; 1 for a row of zeros, whose weights are 0."""
        kind = self.scores.dtype.type
        total = kind(0)
        with np.errstate(all="ignore"):
            for number in (*self.numbers, *self.numbers_beside):
                total += number
        return float(total) or 1.0

    @cached_property
    def shares(self) -> Array:
        """Each exponential divided by the sum, shape (n_k,)."""
        kind = self.scores.dtype.type
        with np.errstate(all="ignore"):
            return np.array([number / kind(self.total) for number in self.numbers])

    def note(self, key: int) -> str:
        """Say what an exponential stands for where exp(s − m) alone would be NaN."""
        if not (self.shifted and math.isinf(self.largest) and self.largest > 0):
            return ""
        if self._tempered[key] == self.largest:
            return (
                "The score is +∞, the row's maximum: it counts as e^0 = 1, as in the "
                "limit. NumPy's exp(s − max) gives NaN, as ∞ − ∞ is undefined."
            )
        return "Beside a score of +∞ every finite one counts for nothing: e^(−∞) = 0."

    @property
    def overflow(self) -> bool:
        """Whether an exponential or their sum is beyond what a float can hold."""
        return not np.isnan(self.largest) and not math.isfinite(self.total)

    @property
    def vanished(self) -> bool:
        """Whether every exponential is so small that it became 0."""
        return bool(np.isfinite(self._tempered).any()) and not self.numbers.any()

    @property
    def failed(self) -> bool:
        """Whether the shares are not those of exact arithmetic."""
        return self.overflow or self.vanished

    @property
    def ceiling(self) -> float:
        """The largest exponent whose exponential is finite: 709.78 in float64."""
        return math.log(float(np.finfo(self.scores.dtype).max))

    @cached_property
    def _tempered(self) -> Array:
        tempered: Array = self.scores / self.scores.dtype.type(self.temperature)
        return tempered

    def _exp(self, score: float, kind: Any) -> Any:
        with np.errstate(all="ignore"):
            # Of +∞, too, the row's maximum is taken off to the last bit.
            own = score == self.shift
            return np.exp(kind(0) if own else kind(score) - kind(self.shift))
