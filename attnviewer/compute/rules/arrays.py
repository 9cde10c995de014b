"""A rule applied to rows of scores: numbers of each row, weights, gradients."""

from collections.abc import Iterator

import numpy as np

from attnviewer.compute.arrays import ALL, Array, Selection, positions
from attnviewer.compute.expression import Expression
from attnviewer.compute.rules.evaluation import Evaluation
from attnviewer.compute.rules.symbols import (
    SCORE,
    SINK,
    IsAt,
    KeyCount,
    RowMaximum,
    RowSum,
    RowWinner,
    Threshold,
    numbers_of_rows,
)
from attnviewer.compute.rules.thresholds import threshold


class Rows(Evaluation):
    """Rows of scores, or a window of them, to which a rule is applied.

    Parameters
    ----------
    scores : ndarray, shape (..., rows, columns)
        Scores over the temperature; −inf where a key is masked.
    keys : slice without step, or ndarray of intp
        The keys of the columns; by default the first ones.
    sink : ndarray, optional
        The sinks of rules that have one as a symbol, to be broadcast to the scores.
    """

    def __init__(
        self, scores: Array, keys: Selection = ALL, sink: Array | None = None
    ) -> None:
        super().__init__({SCORE: scores} | ({} if sink is None else {SINK: sink}))
        self._masked = np.isneginf(scores)  # (..., rows, columns)
        self._keys = keys

    @np.errstate(all="ignore")
    def numbers(self, rule: Expression) -> Array:
        """Return the numbers of each whole row that the rule uses: (..., rows, count).

        Those of `numbers_of_rows`; for a rule without any, a column of zeros.
        """
        kept = [self.value(node) for node in numbers_of_rows(rule)]
        scores = self._values[SCORE]
        if not kept:
            return np.zeros((*scores.shape[:-1], 1), scores.dtype)  # (..., rows, 1)
        # In half precision a sum of many numbers would overflow.
        exact = np.promote_types(scores.dtype, np.float32)
        return np.concatenate(kept, axis=-1, dtype=exact)

    @np.errstate(all="ignore")
    def weights(self, rule: Expression, numbers: Array) -> Array:
        """Return the weights, given the `numbers` of the whole rows.

        Zero where masked, and where a row's sum is zero because all of its terms are.
        """
        empty = np.zeros((*numbers.shape[:-1], 1), bool)  # (..., rows, 1)
        for column, node in enumerate(numbers_of_rows(rule)):
            number = numbers[..., column : column + 1]  # (..., rows, 1)
            self._values[node] = number
            if isinstance(node, RowSum):
                empty |= number == 0
        weights = self.value(rule)  # (..., rows, columns)
        scores = self._values[SCORE]
        weights = np.where(self._masked, 0, weights)
        weights[empty & np.isnan(weights) & np.isfinite(scores)] = 0
        return weights.astype(scores.dtype, copy=False)

    @np.errstate(all="ignore")
    def gradient(self, rule: Expression, gradient: Array) -> Array:
        """Return the gradient on the scores of whole rows, given that on the weights.

        Both have the shape (..., rows, n_k).
        """
        scores = self._values[SCORE]
        own = np.where(self._masked, 0, gradient)  # (..., rows, n_k)
        on_scores = self.gradients(rule, own).get(SCORE)
        if on_scores is None:
            return np.zeros_like(scores)
        return np.where(self._masked, 0, on_scores).astype(scores.dtype, copy=False)

    def _computed(self, node: Expression, parts: list[Array]) -> Array:
        # Its shape is (..., rows, columns), (..., rows, 1) for a number of the row, or
        # () for a constant.
        scores = self._values[SCORE]
        match node:
            case KeyCount():
                count = scores.shape[-1]
                return np.full((*scores.shape[:-1], 1), count, scores.dtype)
            case RowMaximum():
                terms = self._open(parts[0])  # (..., rows, n_k)
                return np.asarray(terms.max(axis=-1, keepdims=True))  # (..., rows, 1)
            case RowSum():
                terms = np.where(self._masked, 0, parts[0])  # (..., rows, n_k)
                exact = np.promote_types(scores.dtype, np.float32)
                sums = terms.sum(axis=-1, keepdims=True, dtype=exact)  # (..., rows, 1)
                return np.asarray(sums)
            case RowWinner():
                winners = self._open(parts[0]).argmax(axis=-1)  # (..., rows)
                return np.asarray(winners[..., np.newaxis], np.float64)
            case Threshold():
                return threshold(self._open(parts[0]), node.power)  # (..., rows, 1)
            case IsAt():
                keys = positions(self._keys, scores.shape[-1])  # (columns,)
                is_at = keys == parts[0]  # (..., rows, columns)
                return np.asarray(is_at, scores.dtype)
        return super()._computed(node, parts)

    def _open(self, terms: Array) -> Array:
        """Return the terms with −inf where a key is masked, which never wins."""
        return np.where(self._masked, -np.inf, terms)  # (..., rows, n_k)

    def _shares(
        self, node: Expression, own: Array
    ) -> Iterator[tuple[Expression, Array]]:
        match node:
            case RowSum():
                yield node.term, np.where(self._masked, 0, own)
            case RowMaximum():
                winners = self._open(self.value(node.term)).argmax(axis=-1)
                keys = np.arange(self._masked.shape[-1])  # (n_k,)
                wins = keys == winners[..., np.newaxis]  # (..., rows, n_k)
                yield node.term, np.where(wins, own, 0)
            case Threshold():
                tau = self.value(node)  # (..., rows, 1)
                above = np.maximum(self.value(node.term) - tau, 0)  # (..., rows, n_k)
                inside = (above > 0) & ~self._masked
                slopes = np.where(inside, above ** (node.power - 1), 0)
                yield node.term, own * slopes / slopes.sum(axis=-1, keepdims=True)
            case _:
                yield from super()._shares(node, own)

    def _share(self, own: Array, slope: Array, value: Array) -> Array:
        # A gradient of 0 stays 0, even where the slope is infinite.
        share = np.where(own == 0, 0, own * slope)
        if not value.ndim or value.shape[-1] == share.shape[-1]:
            return share
        # On a number of the row it is summed over the keys.
        return np.asarray(share.sum(axis=-1, keepdims=True))  # (..., rows, 1)


def vanishes(term: Expression) -> bool:
    """Return whether a term is 0 by itself for a masked key next to a visible one."""
    return bool(_of_masked(term, 0.5) == 0)


def stays_masked(term: Expression) -> bool:
    """Return whether a term is −∞ by itself for a masked key next to a visible one."""
    return all(_of_masked(term, score) == -np.inf for score in (0.5, -0.5))


def _of_masked(term: Expression, score: float) -> float:
    """Return the term of a masked key next to a visible one with the given score."""
    with np.errstate(all="ignore"):
        rows = Rows(np.array([[score, -np.inf]]), sink=np.zeros((1, 1)))
        values = rows.value(term)  # (1, 2)
    return float(values[0, -1])
