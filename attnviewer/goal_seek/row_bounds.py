"""Bounds of the weights of one row that follow from its targets."""

import math
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from attnviewer.compute import Array, Index, IndexArray
from attnviewer.goal_seek.problem import TOLERANCE
from attnviewer.goal_seek.quantities import CellValue, Gap, RowValue
from attnviewer.goal_seek.requirements import Requirement

Row: TypeAlias = tuple[str, Index]
"""A step, and the index of a row of it."""

ROUNDS = 50
"""The most times that bounds are propagated: cycles of gaps might never settle."""


class RowBounds:
    """Bounds of the weights of a row on the keys that its query sees.

    Parameters
    ----------
    keys : ndarray of intp, shape (count,)
        The keys that the query sees.
    low, high : float
        The bounds of each weight without targets.
    least_sum, most_sum : float
        The bounds of their sum without targets.

    Attributes
    ----------
    lows, highs : ndarray, shape (count,)
        The bounds of each weight.
    least_sum, most_sum : float
        The bounds of the sum.
    """

    def __init__(
        self,
        keys: IndexArray,
        low: float,
        high: float,
        least_sum: float,
        most_sum: float,
    ) -> None:
        self._place = {int(key): place for place, key in enumerate(keys)}
        self.lows: Array = np.full(keys.size, low)
        self.highs: Array = np.full(keys.size, high)
        self.least_sum, self.most_sum = least_sum, most_sum

    def keep_to(self, asked: list[Requirement]) -> None:
        """Narrow the bounds to what the requirements of the row ask for."""
        gaps = [r for r in asked if isinstance(r.quantity, Gap)]
        for required in asked:
            self._keep_number(required)
        for _ in range(ROUNDS if gaps else 0):
            before = self.lows.copy(), self.highs.copy()
            for required in gaps:
                self._keep_gap(required)
            if all(map(np.array_equal, before, (self.lows, self.highs))):
                break

    def entropy(self) -> tuple[float, float]:
        """Return the bounds of the entropy of the row in bits.

        The upper bound is attained, the lower one need not be. They allow for weights
        that miss their targets by the tolerance.

        References
        ----------
        Marshall, Olkin & Arnold 2011, "Inequalities: Theory of Majorization and Its
        Applications", sections 3.C and 5.C: the entropy is Schur-concave.
        """
        lows, highs = self._shares()
        held = highs - lows <= 4 * TOLERANCE
        rest = 1 - float(highs[held].sum())
        fixed = _terms(np.clip(highs[held], 0.0, 1.0))
        if held.all():
            return fixed, fixed
        lows, highs = lows[~held], highs[~held]
        return (
            fixed + _terms(_least_even(lows, highs, rest)),
            fixed + _terms(_most_even(lows, highs, rest)),
        )

    def _keep_number(self, required: Requirement) -> None:
        quantity, wanted = required.quantity, required.wanted
        if isinstance(quantity, RowValue) and quantity.statistic == "sum":
            if required.relation != "<=":
                self.least_sum = max(self.least_sum, wanted)
            if required.relation != ">=":
                self.most_sum = min(self.most_sum, wanted)
        if isinstance(quantity, CellValue):
            place = self._place[quantity.cell.index[-1]]
            if required.relation != "<=":
                self.lows[place] = max(self.lows[place], wanted)
            if required.relation != ">=":
                self.highs[place] = min(self.highs[place], wanted)

    def _keep_gap(self, required: Requirement) -> None:
        gap = required.quantity
        assert isinstance(gap, Gap)
        one, other = (self._place[c.index[-1]] for c in (gap.cell, gap.other))
        if required.relation != "<=":
            self.lows[one] = max(self.lows[one], self.lows[other])
            self.highs[other] = min(self.highs[other], self.highs[one])
        if required.relation != ">=":
            self.highs[one] = min(self.highs[one], self.highs[other])
            self.lows[other] = max(self.lows[other], self.lows[one])

    def _shares(self) -> tuple[Array, Array]:
        """Return the bounds of weights divided by their sum, shapes (count,)."""
        lows = np.maximum(self.lows - TOLERANCE, 0.0)
        highs = np.maximum(self.highs + TOLERANCE, 0.0)
        least, most = self.least_sum - TOLERANCE, self.most_sum + TOLERANCE
        others_low, others_high = lows.sum() - lows, highs.sum() - highs
        lows = np.maximum(lows, least - others_high)
        highs = np.minimum(highs, most - others_low)
        rest_high = np.minimum(others_high, most - lows)
        rest_low = np.maximum(others_low, least - highs)
        return _share(lows, rest_high), _share(highs, rest_low)


def row_of(required: Requirement) -> Row | None:
    """Return the step and the row that a requirement is on; None for two rows."""
    quantity = required.quantity
    if isinstance(quantity, RowValue):
        return quantity.step, quantity.index
    assert isinstance(quantity, CellValue | Gap)
    row = quantity.cell.step, quantity.cell.index[:-1]
    if isinstance(quantity, Gap):
        other = quantity.other.step, quantity.other.index[:-1]
        return row if other == row else None
    return row


def in_bits(asked: Requirement) -> Requirement:
    """Return a requirement on effective keys, 2 to the entropy, as one on that."""
    row = asked.quantity
    if not isinstance(row, RowValue) or row.statistic != "effective_keys":
        return asked
    bits = math.log2(asked.wanted) if asked.wanted > 0 else -math.inf
    return replace(asked, quantity=replace(row, statistic="entropy"), wanted=bits)


def _share(own: Array, others: Array) -> Array:
    """Return own / (own + others), and 0 of nothing."""
    total = own + others
    shares: Array = np.divide(own, total, out=np.zeros_like(own), where=total > 0)
    return shares


def _terms(shares: Array) -> float:
    """Return −Σ p log₂ p."""
    positive = shares[shares > 0]
    return float(-(positive * np.log2(positive)).sum())


def _least_even(lows: Array, highs: Array, total: float) -> Array:
    """Return shares that majorise all between bounds with a total, (count,).

    Of any such shares, the k largest add up to no more than the first k of these.
    """
    largest_highs = np.cumsum(np.sort(highs)[::-1])
    largest_lows = total - lows.sum() + np.cumsum(np.sort(lows)[::-1])
    sums = np.minimum(np.minimum(largest_highs, largest_lows), total)
    shares: Array = np.maximum(np.diff(sums, prepend=0.0), 0.0)
    return shares


def _most_even(lows: Array, highs: Array, total: float) -> Array:
    """Return the most even shares between bounds with a total, (count,).

    All that are at no bound are equal. Their level is between two neighbours of all
    bounds, between which the total grows along a straight line.
    """
    levels = np.unique(np.concatenate([lows, highs]))
    totals = [float(np.clip(level, lows, highs).sum()) for level in levels]
    level = np.interp(total, totals, levels)
    shares: Array = np.clip(level, lows, highs)
    return shares
