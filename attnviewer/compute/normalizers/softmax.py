"""Softmax, with the row's maximum taken off first."""

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
    largest_terms,
)
from attnviewer.compute.normalizers.base import Normalizer


class Softmax(Normalizer):
    """αᵢⱼ = e^(sᵢⱼ − mᵢ) / Σₖ e^(sᵢₖ − mᵢ) with mᵢ the row's maximum.

    Taking the maximum off changes nothing but keeps every exponential at most 1,
    so no finite score overflows. A row masked as a whole gets zero weights. If
    the maximum is +inf, the cells that hold it share the row equally: the limit
    of the formula.

    References
    ----------
    Vaswani et al. 2017, "Attention Is All You Need", equation 1; Blanchard et al.
    2021, "Accurately computing the log-sum-exp and softmax functions".
    """

    name = "softmax"
    title = "softmax"
    formula = "softmax({source})"
    signed = False

    def state(self, scores: Array) -> Array:
        maximum = scores.max(axis=-1, keepdims=True)  # (..., n_q, 1)
        total = _shifted_exp(scores, maximum).sum(
            axis=-1, keepdims=True
        )  # (..., n_q, 1)
        return np.concatenate([maximum, total], axis=-1)  # (..., n_q, 2)

    def apply(self, scores: Array, state: Array) -> Array:
        maximum, total = state[..., :1], state[..., 1:]  # (..., n_q, 1) each
        weights = _shifted_exp(scores, maximum)  # (..., n_q, n_k)
        return np.divide(weights, total, out=weights, where=total != 0)

    def explain(
        self, scores: Array, column: int, cell: Cell, source: str, limit: int
    ) -> Formula:
        symbols = "e^(sᵢⱼ − maxᵢ) / Σₖ e^(sᵢₖ − maxᵢ)"
        state = self.state(scores[np.newaxis])[0]  # (2,)
        value = float(self.apply(scores[np.newaxis], state[np.newaxis])[0, column])
        maximum, total = float(state[0]), float(state[1])
        if total == 0:
            note = "Every score of this query is −∞: its weights are zero."
            return Formula(cell, value, symbols, (), note)
        if not np.isfinite(maximum):
            note = "The row holds +∞ or NaN; its exponentials cannot be written out."
            return Formula(cell, value, symbols, (), note)
        if np.isneginf(scores[column]):
            note = "The score is −∞, as that of a masked key is: e^(−∞) = 0."
            return Formula(cell, value, symbols, (), note)

        def score(key: int) -> Number:
            return Number(float(scores[key]), Cell(source, (*cell.index[:-1], key)))

        largest = score(int(np.argmax(scores)))
        exponentials = _shifted_exp(scores, state[:1])  # (n_k,)
        # Masked keys add e^(−∞) = 0: they are not worth writing.
        open_keys = np.flatnonzero(~np.isneginf(scores))  # (number of open keys,)
        terms, omitted, remainder = largest_terms(exponentials[open_keys], limit)
        kept = [int(open_keys[k]) for k in terms]
        exponents = tuple(Exponential(Difference(score(k), largest)) for k in kept)
        values = tuple(Number(float(exponentials[k])) for k in kept)
        return Formula(
            cell,
            value,
            symbols,
            (
                Quotient(
                    Exponential(Difference(score(column), largest)),
                    Sum(exponents, omitted, remainder),
                ),
                Quotient(
                    Number(float(exponentials[column])),
                    Sum(values, omitted, remainder),
                ),
            ),
        )


def _shifted_exp(scores: Array, maximum: Array) -> Array:
    # Cells at the maximum are e⁰ even where it is +inf, and −inf − (−inf) is no NaN.
    shifted = np.subtract(
        scores, maximum, out=np.zeros_like(scores), where=scores != maximum
    )
    exponentials: Array = np.exp(shifted) * (maximum != -np.inf)
    return exponentials
