"""Softmax, with the row's maximum taken off first."""

from typing import ClassVar

import numpy as np

from attnviewer.compute.arrays import Array
from attnviewer.compute.formula import (
    Cell,
    Difference,
    Exponential,
    Expression,
    Formula,
    Number,
    Quotient,
    Sum,
    largest_terms,
)
from attnviewer.compute.normalizers.base import Separable, weighted


class Softmax(Separable):
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
    symbols = "e^(sᵢⱼ − maxᵢ) / Σₖ e^(sᵢₖ − maxᵢ)"

    exponential = True
    shares_infinity = True
    beside: ClassVar[tuple[float, ...]] = ()
    """Scores that have a share of every row, beside those of its keys."""

    def shift(self, scores: Array) -> Array:
        lowest = max(self.beside, default=-np.inf)
        largest: Array = scores.max(axis=-1, keepdims=True, initial=lowest)
        return largest  # (..., n_q, 1)

    def numerators(self, scores: Array, shift: Array, *, out: Array) -> Array:
        self._below(scores, shift, out=out)
        return np.exp(out, out=out)

    def divide_by(self, shift: Array, total: Array) -> Array:
        for score in self.beside:
            share = np.full_like(shift, score)  # (..., n_q, 1)
            total = total + self.numerators(share, shift, out=share)
        return np.where(total == 0, 1, total)  # (..., n_q, 1)

    @np.errstate(over="ignore", invalid="ignore")
    def backward(self, scores: Array, weights: Array, gradient: Array) -> Array:
        inner = weighted(weights, gradient).sum(axis=-1, keepdims=True)  # (..., n_q, 1)
        on_scores = weighted(weights, gradient - inner)  # (..., n_q, n_k)
        return self._tempered(on_scores, out=on_scores)

    def explain(
        self, scores: Array, column: int, cell: Cell, source: str, limit: int
    ) -> Formula:
        state = self.state(scores[np.newaxis])  # (1, 2)
        value = float(self.apply(scores[np.newaxis], state)[0, column])
        note = self._why_not_written(scores, column)
        if note:
            return self._noted(scores, column, cell, source, value, note)
        exponentials = self.numerators(
            scores, state[0, :1], out=np.empty_like(scores)
        )  # (n_k,)
        # Masked keys add e^(−∞) = 0: they are not worth writing.
        open_keys = np.flatnonzero(~np.isneginf(scores))  # (number of open keys,)
        kept, omitted, remainder = largest_terms(exponentials[open_keys], limit)
        beside = [Number(score) for score in self.beside]

        def score(key: int) -> Expression:
            return self._score(scores, key, cell, source)

        largest = max(
            [score(int(np.argmax(scores))), *beside], key=lambda s: s.evaluate()
        )

        def exponential(score: Expression) -> Expression:
            return Exponential(Difference(score, largest))

        shares = [*beside, *(score(int(open_keys[k])) for k in kept)]
        written_out = tuple(map(exponential, shares))
        values = tuple(Number(term.evaluate()) for term in written_out)
        own = exponential(score(column))
        steps = (
            Quotient(own, Sum(written_out, omitted, remainder)),
            Quotient(Number(own.evaluate()), Sum(values, omitted, remainder)),
        )
        return Formula(cell, value, self.symbols, steps)

    def _why_not_written(self, scores: Array, column: int) -> str:
        """Return why the weight is not written out as exponentials, "" if it is."""
        if np.isneginf(scores).all():
            return "Every score of this query is −∞: its weights are zero."
        if not np.isfinite(float(scores.max()) / self.temperature):
            return self._infinite_note(scores) or (
                "The row's largest score over the temperature is not finite; the "
                "exponentials cannot be written out."
            )
        if np.isneginf(scores[column]):
            return "The score is −∞, as that of a masked key is: e^(−∞) = 0."
        return ""
