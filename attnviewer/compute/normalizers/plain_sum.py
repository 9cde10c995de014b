"""Division by the plain sum of the row."""

import numpy as np

from attnviewer.compute.arrays import Array
from attnviewer.compute.formula import (
    Cell,
    Formula,
    Number,
    Quotient,
    Sum,
    largest_terms,
)
from attnviewer.compute.normalizers.base import Normalizer


class PlainSum(Normalizer):
    """αᵢⱼ = sᵢⱼ / Σₖ sᵢₖ over the keys that are not masked.

    The first idea one has, before softmax: the weights add up to 1, but they are
    negative where scores are, and undefined (NaN, in the whole row) where the
    scores cancel to 0. Masked keys, and rows masked as a whole, get zero.
    """

    name = "sum"
    title = "plain sum"
    formula = "{source} / Σ {source}"
    signed = True

    def state(self, scores: Array) -> Array:
        masked = np.isneginf(scores)  # (..., n_q, n_k)
        total = np.where(masked, 0.0, scores).sum(axis=-1)  # (..., n_q)
        open_keys = (~masked).sum(axis=-1, dtype=scores.dtype)  # (..., n_q)
        return np.stack([total, open_keys], axis=-1)  # (..., n_q, 2)

    def apply(self, scores: Array, state: Array) -> Array:
        total, open_keys = state[..., :1], state[..., 1:]  # (..., n_q, 1) each
        undefined = (total == 0) & (open_keys > 0)  # (..., n_q, 1)
        divisor = np.where(undefined, np.nan, np.where(total == 0, 1.0, total))
        return np.where(np.isneginf(scores), 0.0, scores) / divisor  # (..., n_q, n_k)

    def explain(
        self, scores: Array, column: int, cell: Cell, source: str, limit: int
    ) -> Formula:
        symbols = "sᵢⱼ / Σₖ sᵢₖ"
        state = self.state(scores[np.newaxis])  # (1, 2)
        value = float(self.apply(scores[np.newaxis], state)[0, column])
        if np.isneginf(scores[column]):
            note = "The score is −∞, as that of a masked key is, and counts as 0."
            return Formula(cell, value, symbols, (), note)
        if not np.isfinite(state[0, 0]):
            note = "The scores of this row add up to no finite number."
            return Formula(cell, value, symbols, (), note)
        if state[0, 0] == 0:
            note = "The scores of this row add up to 0, so no weights are defined."
            return Formula(cell, value, symbols, (), note)
        open_keys = np.flatnonzero(~np.isneginf(scores))  # (number of open keys,)
        kept, omitted, remainder = largest_terms(scores[open_keys], limit)

        def score(key: int) -> Number:
            return Number(float(scores[key]), Cell(source, (*cell.index[:-1], key)))

        terms = tuple(score(int(open_keys[k])) for k in kept)
        total = Sum(terms, omitted, remainder)
        steps = (
            Quotient(score(column), total),
            Quotient(score(column), Number(float(state[0, 0]))),
        )
        return Formula(cell, value, symbols, steps)
