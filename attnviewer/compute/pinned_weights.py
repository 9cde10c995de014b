"""Weights some of which are pinned, over weights that are computed as a whole."""

import math

import numpy as np

from attnviewer.compute.arrays import (
    Array,
    Index,
    IndexArray,
    Part,
    Selection,
    positions,
)
from attnviewer.compute.stages import Normalize
from attnviewer.compute.weights import Weights

KEPT = 2**20
"""The most numbers of pinned rows that are kept, as windows of them are read often."""


class PinnedWeights(Weights):
    """The attention weights with their pins.

    Parameters
    ----------
    weights : Weights
        The weights without them.
    normalize : Normalize
        The stage, with pins.
    """

    def __init__(self, weights: Weights, normalize: Normalize) -> None:
        assert normalize.pins is not None
        self.scores, self.pins = weights.scores, normalize.pins
        self._weights, self._step = weights, normalize.name
        self._kept: dict[Index, Array] = {}

    def forget(self) -> None:
        """Forget the pinned rows that are kept: the weights have changed."""
        self._kept.clear()

    def pinned_rows(self, lead: Index) -> IndexArray:
        """Return the rows of a matrix that have pinned weights."""
        return self.pins.rows(lead, self.scores.shape[-2])

    def reach(self, lead: Index, rows: slice) -> slice:
        if self._within(lead, rows).size:
            return slice(0, self.scores.shape[-1])
        return self._weights.reach(lead, rows)

    def weigh(self, lead: Index, rows: slice) -> tuple[Array, Array | None]:
        numerators, divisor = self._weights.weigh(lead, rows)  # (..., rows, columns)
        within = self._within(lead, rows)
        if not within.size:
            return numerators, divisor
        reach = self._weights.reach(lead, rows)
        *axes, _ = numerators.shape
        whole = np.zeros((*axes, self.scores.shape[-1]), numerators.dtype)
        whole[..., reach] = numerators
        start = rows.start or 0
        whole[..., within - start, :] = self.held(lead, within)
        if divisor is not None:
            divisor = divisor.copy()  # (..., rows, 1)
            divisor[..., within - start, :] = 1
        return whole, divisor

    def numerators(self, part: Part, computed: Array, divisor: Array) -> Array:
        """Return numerators that the divisors turn into the weights with their pins.

        Parameters
        ----------
        part : Part
            A part of one matrix, with its rows as a slice.
        computed : ndarray, shape (rows, columns)
            The numerators of the weights without pins.
        divisor : ndarray, shape (n_q, 1)
            The divisor of each row of the matrix.
        """
        assert isinstance(part.rows, slice)
        within = self._within(part.lead, part.rows)
        if not within.size:
            return computed
        numerators = computed.copy()  # (rows, columns)
        weights = self.held(part.lead, within)[..., part.columns]
        numerators[within - (part.rows.start or 0)] = weights * divisor[within]
        return numerators

    def read(self, step: str, part: Part) -> Array:
        if step != self._step:
            return self._weights.read(step, part)
        computed = self._weights.read(step, part)  # (..., rows, columns)
        within = self._within(part.lead, part.rows)
        if not within.size:
            return computed
        window = np.array(computed)
        own = positions(part.rows, window.shape[-2])  # (rows,)
        pinned = np.isin(own, within)  # (rows,)
        window[..., pinned, :] = self.held(part.lead, own[pinned])[..., part.columns]
        return window

    def held(self, lead: Index, rows: IndexArray) -> Array:
        """Return some of the pinned rows as a whole, shape (..., rows, n_k)."""
        every = self.pinned_rows(lead)
        *axes, _, n_k = self.scores.shape
        if every.size * n_k * math.prod(axes[len(lead) :]) > KEPT:
            return self._hold(Part(lead, rows))
        if lead not in self._kept:
            self._kept[lead] = self._hold(Part(lead, every))
        kept: Array = self._kept[lead][..., np.searchsorted(every, rows), :]
        return kept

    def _hold(self, part: Part) -> Array:
        rows = np.array(self._weights.read(self._step, part))  # (..., rows, n_k)
        self.pins.hold(rows, part)
        return rows

    def _within(self, lead: Index, rows: Selection) -> IndexArray:
        """Return the rows of a selection that have pinned weights."""
        pinned = self.pinned_rows(lead)
        if not isinstance(rows, slice):
            return np.intersect1d(pinned, rows)
        start, stop, _ = rows.indices(self.scores.shape[-2])
        return pinned[(pinned >= start) & (pinned < stop)]
