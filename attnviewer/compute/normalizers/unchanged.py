"""Weights that are the scores themselves."""

import numpy as np

from attnviewer.compute.arrays import Array
from attnviewer.compute.formula import Cell, Formula
from attnviewer.compute.normalizers.base import Normalizer


class Unchanged(Normalizer):
    """αᵢⱼ = sᵢⱼ: nothing is normalised, and masked keys get zero.

    For scores that are attention weights already, as a model returned them, and so
    are not negative.
    """

    name = "none"
    title = "unchanged"
    formula = "{source}"
    symbols = "sᵢⱼ"
    convex = False

    def state(self, scores: Array) -> Array:
        return np.zeros((*scores.shape[:-1], 1), scores.dtype)  # (..., n_q, 1)

    def apply(self, scores: Array, state: Array, first: int = 0) -> Array:
        tempered = self._tempered(scores, out=np.empty_like(scores))
        return np.where(np.isneginf(scores), 0, tempered)  # (..., rows, columns)

    def backward(self, scores: Array, weights: Array, gradient: Array) -> Array:
        tempered = self._tempered(gradient, out=np.empty_like(gradient))
        return np.where(np.isneginf(scores), 0, tempered)

    def explain(
        self, scores: Array, column: int, cell: Cell, source: str, limit: int
    ) -> Formula:
        value = float(self.normalize(scores[np.newaxis])[0, column])
        if np.isneginf(scores[column]):
            note = "The score is −∞, as that of a masked key is: it gets no weight."
            return self._noted(scores, column, cell, source, value, note)
        score = self._score(scores, column, cell, source)
        return Formula(cell, value, self.symbols, (score,))
