"""The exponentials of one row of scores, and how they may overflow or vanish."""

import math
from dataclasses import dataclass

import numpy as np

from attnviewer.compute.arrays import Array


@dataclass(frozen=True, slots=True, eq=False)
class Exponentials:
    """The exponentials of a row and their sum, as a loop computes them.

    Parameters
    ----------
    scores : ndarray, shape (n_k,)
        The row that is normalised, over the temperature.
    largest : float
        The row's maximum, the score of an extra key or a sink included.
    shifted : bool
        Whether it is subtracted first. Without that, the exponential of a large score
        overflows.
    numbers : ndarray, shape (n_k,)
        The exponentials.
    total : float
        Their sum.

    References
    ----------
    Blanchard et al. 2021, "Accurately computing the log-sum-exp and softmax
    functions": both forms are equal in exact arithmetic.
    """

    scores: Array
    largest: float
    shifted: bool
    numbers: Array
    total: float

    def note(self, key: int) -> str:
        """Explain an exponential where exp(s − m) would be NaN."""
        if not (self.shifted and math.isinf(self.largest) and self.largest > 0):
            return ""
        if self.scores[key] == self.largest:
            return (
                "The score is +∞, the row's maximum: it counts as e^0 = 1, as in the "
                "limit. NumPy's exp(s − max) gives NaN, as ∞ − ∞ is undefined."
            )
        return "Beside a score of +∞ every finite one counts for nothing: e^(−∞) = 0."

    @property
    def overflow(self) -> bool:
        """Whether an exponential or the sum overflows."""
        return not np.isnan(self.largest) and not math.isfinite(self.total)

    @property
    def vanished(self) -> bool:
        """Whether every exponential underflows to 0, and would not with the shift."""
        seen = bool(np.isfinite(self.scores).any())
        # An extra key or a sink may have the largest score: nothing vanishes then.
        own = float(self.scores.max()) == self.largest
        return seen and own and not self.numbers.any()

    @property
    def failed(self) -> bool:
        """Whether the shares differ from those of exact arithmetic."""
        return self.overflow or self.vanished

    @property
    def ceiling(self) -> float:
        """The largest exponent whose exponential is finite: 709.78 in float64."""
        return math.log(float(np.finfo(self.scores.dtype).max))
