"""Weights some of which are pinned, over weights that are computed as a whole."""

import numpy as np

from attnviewer.compute.arrays import ALL, Array, Index, IndexArray, Part
from attnviewer.compute.stages import Normalize
from attnviewer.compute.weights import Weights


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
        whole[..., within - start, :] = self.read(self._step, Part(lead, within))
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
        weights = self.read(self._step, part._replace(rows=within))
        numerators[within - (part.rows.start or 0)] = weights * divisor[within]
        return numerators

    def read(self, step: str, part: Part) -> Array:
        if step != self._step:
            return self._weights.read(step, part)
        wide = part._replace(columns=ALL) if self.pins.shares else part
        window = np.array(self._weights.read(step, wide))  # (..., rows, columns)
        self.pins.hold(window, wide)
        return window[..., part.columns] if wide is not part else window

    def _within(self, lead: Index, rows: slice) -> IndexArray:
        """Return the rows of a range that have pinned weights."""
        pinned = self.pinned_rows(lead)
        start, stop, _ = rows.indices(self.scores.shape[-2])
        return pinned[(pinned >= start) & (pinned < stop)]
