"""Division by the plain sum of the row."""

import numpy as np

from attnviewer.compute.arrays import ALL, Array, Selection
from attnviewer.compute.normalizers.base import Normalizer, weighted
from attnviewer.compute.rules import SCORE, Named, RowSum


class PlainSum(Normalizer):
    """αᵢⱼ = sᵢⱼ / Σₖ sᵢₖ over the keys that are not masked.

    The simplest normalisation: the weights add up to 1, but they are negative where
    scores are, and undefined (NaN, for every key that is not masked) where the scores
    cancel to 0. Masked keys, and rows masked as a whole, get zero. The temperature
    cancels.

    The sum is rounded as by `numpy.sum`: where scores nearly cancel, rounding decides.
    [1e16, 1, −1e16] adds up to 0 instead of 1, and its weights are NaN. A row whose sum
    overflows is first multiplied by a power of 2, which cancels, too.
    """

    name = "sum"
    title = "plain sum"
    sentence = (
        "The plain sum divides each score by the sum of its row: negative "
        "scores make negative weights, and a sum near 0 makes huge ones."
    )
    plain_rule = "sⱼ / Σₖ sₖ"
    formula = "{source} / Σ {source}"
    rule = SCORE / Named("total", RowSum(SCORE))
    signed = True
    convex = False
    whole_rows = True
    cancels_temperature = True

    def state(self, scores: Array) -> Array:
        masked = np.isneginf(scores)  # (..., n_q, n_k)
        open_scores = np.where(masked, 0, scores)  # (..., n_q, n_k)
        open_keys = (~masked).sum(axis=-1, dtype=scores.dtype)  # (..., n_q)
        with np.errstate(over="ignore", invalid="ignore"):
            total = open_scores.sum(axis=-1)  # (..., n_q)
            scale = np.ones_like(total)  # (..., n_q)
            if not np.isfinite(total).all():
                smaller = 0.5 ** scores.shape[-1].bit_length()
                scale = np.where(np.isfinite(total), scale, smaller)
                total = (open_scores * scale[..., np.newaxis]).sum(axis=-1)
        return np.stack([total, open_keys, scale], axis=-1)  # (..., n_q, 3)

    def apply(self, scores: Array, state: Array, keys: Selection = ALL) -> Array:
        masked = np.isneginf(scores)  # (..., rows, columns)
        # Sums may nearly cancel, and rows may hold +inf.
        with np.errstate(over="ignore", invalid="ignore"):
            weights = np.where(masked, 0, scores) * state[..., 2:] / _total(state)
        weights[masked] = 0  # also where the others are NaN
        return weights

    @np.errstate(over="ignore", invalid="ignore")
    def backward(self, scores: Array, weights: Array, gradient: Array) -> Array:
        state = self.state(scores)  # (..., n_q, 3)
        inner = weighted(weights, gradient).sum(axis=-1, keepdims=True)  # (..., n_q, 1)
        slope = state[..., 2:] / _total(state)  # (..., n_q, 1)
        # A row of NaN passes no gradient on where none of its weights has one.
        still = np.isneginf(scores) | ~gradient.any(axis=-1, keepdims=True)
        return np.where(still, 0, (gradient - inner) * slope)

    def described(self, source: str) -> str:
        return self.formula.format(source=source)

    def _why_not_written(self, scores: Array, column: int) -> str:
        total, _, scale = self.state(scores[np.newaxis])[0]
        if np.isneginf(scores[column]):
            return "The score is −∞, as that of a masked key is, and counts as 0."
        if total == 0:
            return "The scores of this row add up to 0, so no weights are defined."
        if scale != 1:
            return "The scores of this row add up to no finite number."
        return ""


def _total(state: Array) -> Array:
    """Return the divisor of scaled scores, shape (..., rows, 1); never 0."""
    total, open_keys = state[..., :1], state[..., 1:2]  # (..., rows, 1) each
    defined = np.where(total == 0, np.nan, total)  # (..., rows, 1)
    return np.where(open_keys == 0, 1, defined)
