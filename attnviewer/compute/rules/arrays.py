"""A rule applied to rows of scores: numbers of each row, weights, gradients."""

from collections.abc import Iterator

import numpy as np

from attnviewer.compute.arrays import Array
from attnviewer.compute.expression import Expression, Named, Number, Operation
from attnviewer.compute.rules.symbols import (
    SCORE,
    IsAt,
    KeyCount,
    RowMaximum,
    RowSum,
    RowWinner,
    Threshold,
    nodes,
    numbers_of_rows,
)
from attnviewer.compute.rules.thresholds import threshold


class Rows:
    """Rows of scores, or a window of them, to which a rule is applied.

    Parameters
    ----------
    scores : ndarray, shape (..., rows, columns)
        Scores over the temperature; −inf where a key is masked.
    first : int
        The key of the first column.
    """

    def __init__(self, scores: Array, first: int = 0) -> None:
        self._masked = np.isneginf(scores)  # (..., rows, columns)
        self._first = first
        self._values: dict[Expression, Array] = {SCORE: scores}

    @np.errstate(all="ignore")
    def numbers(self, rule: Expression) -> Array:
        """Return the numbers of each whole row that the rule uses: (..., rows, count).

        They are those of `numbers_of_rows`; a rule without any has a column of zeros.
        """
        kept = [self.value(node) for node in numbers_of_rows(rule)]
        scores = self._values[SCORE]
        if not kept:
            return np.zeros((*scores.shape[:-1], 1), scores.dtype)  # (..., rows, 1)
        # In half precision a sum of many would leave the range.
        exact = np.promote_types(scores.dtype, np.float32)
        return np.concatenate(kept, axis=-1, dtype=exact)

    @np.errstate(all="ignore")
    def weights(self, rule: Expression, numbers: Array) -> Array:
        """Return the weights, given the `numbers` of the whole rows.

        Zero where masked, and where a row's sum is zero because all of its terms are.
        """
        empty = np.zeros((*numbers.shape[:-1], 1), bool)  # (..., rows, 1)
        for place, node in enumerate(numbers_of_rows(rule)):
            number = numbers[..., place : place + 1]  # (..., rows, 1)
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

        By reverse accumulation over the nodes of the rule; (..., rows, n_k) both.
        """
        scores = self._values[SCORE]
        self.value(rule)
        passed = {rule: np.where(self._masked, 0, gradient)}
        for node in reversed(list(nodes(rule))):
            if node not in passed:
                continue
            for part, share in self._shares(node, passed[node]):
                if part in passed:
                    share = share + passed[part]
                passed[part] = share
        on_scores = passed.get(SCORE)
        if on_scores is None:
            return np.zeros_like(scores)
        return np.where(self._masked, 0, on_scores).astype(scores.dtype, copy=False)

    def value(self, node: Expression) -> Array:
        """Return the value of a node.

        Its shape is (..., rows, columns), (..., rows, 1) for a number of the row, or
        () for a constant.
        """
        if node not in self._values:
            parts = [self.value(part) for part in node.parts]
            self._values[node] = self._computed(node, parts)
        return self._values[node]

    def _computed(self, node: Expression, parts: list[Array]) -> Array:
        scores = self._values[SCORE]
        match node:
            case Number():
                return np.asarray(node.value, scores.dtype)  # ()
            case KeyCount():
                count = scores.shape[-1]
                return np.full((*scores.shape[:-1], 1), count, scores.dtype)
            case Named():
                return parts[0]
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
                keys = self._first + np.arange(scores.shape[-1])  # (columns,)
                at_place = keys == parts[0]  # (..., rows, columns)
                return np.asarray(at_place, scores.dtype)
            case Operation():
                return node.compute(*parts)
        raise TypeError(f"A rule must be made of operations. Got {node!r} instead.")

    def _open(self, terms: Array) -> Array:
        """Return the terms with −inf where a key is masked, so that none wins."""
        return np.where(self._masked, -np.inf, terms)  # (..., rows, n_k)

    def _shares(
        self, node: Expression, own: Array
    ) -> Iterator[tuple[Expression, Array]]:
        """Yield the gradient that a node passes on to each of its parts."""
        values = [self.value(part) for part in node.parts]
        match node:
            case Named():
                yield node.body, own
            case RowSum():
                yield node.term, np.where(self._masked, 0, own)
            case RowMaximum():
                winners = self._open(values[0]).argmax(axis=-1)  # (..., rows)
                keys = np.arange(self._masked.shape[-1])  # (n_k,)
                wins = keys == winners[..., np.newaxis]  # (..., rows, n_k)
                yield node.term, np.where(wins, own, 0)
            case Threshold():
                above = np.maximum(values[0] - self.value(node), 0)  # (..., rows, n_k)
                inside = (above > 0) & ~self._masked
                slopes = np.where(inside, above ** (node.power - 1), 0)
                yield node.term, own * slopes / slopes.sum(axis=-1, keepdims=True)
            case Operation():
                slopes_of = node.slopes(self.value(node), *values)
                for part, value, slope in zip(
                    node.parts, values, slopes_of, strict=True
                ):
                    # A gradient of 0 stays 0, even where the slope is infinite.
                    share = np.where(own == 0, 0, own * slope)
                    if value.ndim:
                        yield part, _summed(share, value)


def _summed(share: Array, value: Array) -> Array:
    """Return the gradient on a value: on one of the whole row, summed over keys."""
    if value.shape[-1] == share.shape[-1]:
        return share
    return np.asarray(share.sum(axis=-1, keepdims=True))  # (..., rows, 1)


def vanishes(term: Expression) -> bool:
    """Tell whether a term is 0 of itself for a masked key beside an open one."""
    return bool(_of_masked(term, 0.5) == 0)


def stays_masked(term: Expression) -> bool:
    """Tell whether a term is −∞ of itself for a masked key beside an open one."""
    return all(_of_masked(term, score) == -np.inf for score in (0.5, -0.5))


def _of_masked(term: Expression, score: float) -> float:
    """Return the term of a masked key beside an open one with the given score."""
    with np.errstate(all="ignore"):
        values = Rows(np.array([[score, -np.inf]])).value(term)  # (1, 2)
    return float(values[0, -1])
