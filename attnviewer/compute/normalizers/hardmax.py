"""All the weight on one key."""

import numpy as np

from attnviewer.compute.arrays import ALL, Array, BoolArray, Selection, positions
from attnviewer.compute.normalizers.base import Normalizer
from attnviewer.compute.rules import SCORE, IsAt, Named, RowWinner


class Hardmax(Normalizer):
    """αᵢⱼ = 1 for the first key with the row's largest score, 0 for the others.

    Ties are not shared: the first key gets all the weight. Apart from ties, it is the
    limit of softmax as the temperature goes to 0; so no temperature changes it.

    References
    ----------
    ONNX operators, Hardmax, version 13.
    """

    name = "hardmax"
    title = "hardmax"
    sentence = (
        "Hardmax gives all weight to the key with the largest score; its "
        "gradient is 0, so nothing can be learned through it."
    )
    plain_rule = "1 for the largest sⱼ, else 0"
    whole_rows = True
    cancels_temperature = True
    has_gradient = False
    rule = IsAt(Named("winner", RowWinner(SCORE)))
    symbols = "1 if j is the first key with sᵢⱼ = maxᵢ, else 0"

    def state(self, scores: Array) -> Array:
        largest, winner = scores.max(axis=-1), scores.argmax(axis=-1)  # (..., n_q) each
        # In double precision, as lower ones cannot represent every position.
        return np.stack([largest, winner], axis=-1, dtype=np.float64)  # (..., n_q, 2)

    def apply(self, scores: Array, state: Array, keys: Selection = ALL) -> Array:
        largest, winner = state[..., :1], state[..., 1:]  # (..., rows, 1) each
        own = positions(keys, scores.shape[-1])  # (columns,)
        chosen = (own == winner) & (largest > -np.inf)  # (..., rows, columns)
        weights: Array = chosen.astype(scores.dtype)
        weights[np.isnan(largest[..., 0])] = np.nan
        return weights

    def keeps_state(
        self, before: Array, after: Array, state: Array, first: int = 0
    ) -> BoolArray:
        largest, winner = state[..., :1], state[..., 1:]  # (..., rows, 1) each
        keys = first + np.arange(after.shape[-1])  # (columns,)
        lower = (after < largest) | np.isneginf(after)  # (..., rows, columns)
        return np.asarray(((keys != winner) & lower).all(axis=-1))

    def backward(self, scores: Array, weights: Array, gradient: Array) -> Array:
        return np.zeros_like(gradient)

    def described(self, source: str) -> str:
        return f"{self.title}({source})"

    def _why_not_written(self, scores: Array, column: int) -> str:
        if np.isneginf(scores).all():
            return "Every score of this query is −∞: its weights are zero."
        if np.isneginf(scores[column]):
            return "The score is −∞, as that of a masked key is: it gets no weight."
        if np.isnan(scores).any():
            return "The row holds NaN, so no score is its largest."
        all_of_it = "takes all the weight"
        if scores[column] != scores.max():
            return f"Another key has a larger score, and the largest {all_of_it}."
        if column != scores.argmax():
            return f"A key before it has the same score, and the first {all_of_it}."
        if np.count_nonzero(scores == scores[column]) > 1:
            return f"The first of the keys with the row's largest score {all_of_it}."
        return f"The key with the row's largest score {all_of_it}."
