"""Attention weights that follow their queries and keys."""

import numpy as np

from attnviewer.compute.arrays import ALL, Array, BoolArray, Index, Part, Places
from attnviewer.compute.normalizers import Normalizer, Separable
from attnviewer.compute.passes import Weights, blocks, row_blocks, weigh
from attnviewer.compute.scores import Scores
from attnviewer.compute.threads import spread

SPREAD = 8.0
"""How far a row's total may drift from what it was when computed whole.

Beyond, the sum has cancelled digits, or left the range its shift was chosen for.
"""

_REDONE_ROWS = 64
"""Scattered rows that are computed anew at a time, so that they need little memory."""

_TURNED_ROWS = 16
"""Rows whose numerators are multiplied at a time: they stay in the cache."""

_MOST_TURNS = {4: 8, 8: 64}
_MOST_TURN = {4: 4.0, 8: 30.0}
"""How often, and by e to which power in all, numerators of so many bytes may be
multiplied before their rows are computed anew: each time rounds them."""


class LiveWeights:
    """The numerators of the weights, their totals, and how to keep them right.

    The totals are kept in double precision whatever the numerators are in: what is
    added to them and taken off again leaves no trace.

    Parameters
    ----------
    scores : Scores
        What the weights are made of.
    normalizer : Normalizer
        How.

    Attributes
    ----------
    touched : int
        How many scores or numerators have been computed so far.
    """

    def __init__(self, scores: Scores, normalizer: Normalizer) -> None:
        self.scores = scores
        self.normalizer = normalizer
        self.touched = 0
        shape = scores.shape[:-1]  # (..., n_q)
        self.kept = np.zeros(scores.shape, scores.dtype)  # (..., n_q, n_k)
        self.weights = Weights(scores, normalizer, np.empty((*shape, 0)), self.kept)
        self._whole = np.empty(shape)  # (..., n_q)
        self._turned = np.zeros(shape)  # (..., n_q)
        self._turns = np.zeros(shape[:-1], dtype=np.intp)  # (...)
        self.rebuild()

    @property
    def divisor(self) -> Array | None:
        """What `kept` is divided by, shape (..., n_q, 1); None if by nothing."""
        return self.normalizer.divisor(self.weights.state)

    @property
    def matrices(self) -> list[Index]:
        """The place of each matrix of weights: batch item and head."""
        return list(np.ndindex(self.scores.shape[:-2]))

    def rebuild(self) -> None:
        """Compute all rows anew."""
        for lead, rows in blocks(self.scores.shape):
            self.touched += weigh(self.weights, lead, rows).size
        for lead in self.matrices:
            self._note_whole(lead, ALL)
            self._turns[lead] = 0

    def rebuild_matrix(self, lead: Index) -> None:
        """Compute all rows of one matrix anew."""
        for rows in row_blocks(*self.scores.shape[-2:]):
            self.touched += weigh(self.weights, lead, rows).size
        self._note_whole(lead, ALL)
        self._turns[lead] = 0

    def redo(self, lead: Index, rows: Places) -> None:
        """Compute some rows of one matrix anew."""
        for first in range(0, rows.size, _REDONE_ROWS):
            few = rows[first : first + _REDONE_ROWS]
            block = self.scores.last(Part(lead, few))  # (few, n_k)
            self.touched += block.size
            self.weights.state[lead][few] = self.normalizer.keep(block)
            self.kept[lead][few] = block
        self._note_whole(lead, rows)

    def replace(self, columns: Places) -> Array | None:
        """Compute some columns anew, and the totals from what has changed.

        Returns
        -------
        ndarray of float64, shape (..., n_q, columns), or None
            How much was added to the numerators; None where a key cannot change
            alone, so that all rows must be computed anew.
        """
        if not isinstance(self.normalizer, Separable):
            return None
        window = self.scores.last(Part(columns=columns))  # (..., n_q, columns)
        self.touched += window.size
        state = self.weights.state  # (..., n_q, 2)
        shift = state[..., :1].astype(window.dtype)  # (..., n_q, 1)
        # A row that saw no key has no shift that keeps its first one in range.
        opened = np.isneginf(shift) & ~np.isneginf(window)  # (..., n_q, columns)
        self._whole[opened.any(axis=-1)] = np.nan
        self.normalizer.numerators(window, shift, out=window)
        difference = window.astype(np.float64)  # (..., n_q, columns)
        difference -= self.kept[..., columns]
        self.kept[..., columns] = window
        state[..., 1:] += difference.sum(axis=-1, keepdims=True)
        return difference

    def turn(self, lead: Index, queries: Array, keys: Array) -> bool:
        """Follow scores of one matrix that have changed by ``queries @ keys.T``.

        Parameters
        ----------
        lead : tuple of int
            The matrix.
        queries : ndarray, shape (n_q, r)
        keys : ndarray, shape (n_k, r)
            Factors of the change of the dot products, of low rank r.

        Returns
        -------
        bool
            False if the matrix must be computed anew.
        """
        normalizer, slope = self.normalizer, self.scores.slope
        if slope is None or not isinstance(normalizer, Separable):
            return False
        bytes_each = self.kept.dtype.itemsize
        if not normalizer.exponential or self._turns[lead] >= _MOST_TURNS[bytes_each]:
            return False
        factors = queries * (slope / normalizer.temperature)  # (n_q, r)
        reach = np.abs(factors) @ np.abs(keys).max(axis=0)  # (n_q,)
        self._turned[lead] += reach
        far = ~(self._turned[lead] <= _MOST_TURN[bytes_each])  # (n_q,)
        if far.mean() > 0.5:
            return False
        factors[far] = 0
        powers = np.ascontiguousarray(keys.T)  # (r, n_k)
        spread(
            lambda rows: self._multiply(lead, rows, factors, powers),
            row_blocks(*self.scores.shape[-2:]),
        )
        self.touched += int(np.count_nonzero(~far)) * self.scores.shape[-1]
        self._turns[lead] += 1
        if far.any():
            self.redo(lead, np.flatnonzero(far))
        return True

    def _multiply(
        self, lead: Index, rows: slice, factors: Array, powers: Array
    ) -> None:
        """Multiply some rows, few of them at a time so that they stay in the cache."""
        # NumPy's error state is each thread's own.
        with np.errstate(all="ignore"):
            for first in range(rows.start, rows.stop, _TURNED_ROWS):
                few = slice(first, min(first + _TURNED_ROWS, rows.stop))
                columns = self.weights.reach(lead, few)
                block = Part(lead, few, columns).of(self.kept)  # (few, columns)
                own = factors[few]  # (few, r)
                power = np.multiply.outer(own[:, 0], powers[0, columns])
                for k in range(1, own.shape[1]):
                    power += np.multiply.outer(own[:, k], powers[k, columns])
                block *= np.exp(power, out=power)
                total = block.sum(axis=-1)  # (few,)
                self.weights.state[lead][few, 1] = self._whole[lead][few] = total

    def drifted(self, lead: Index) -> BoolArray:
        """Return which rows must be computed anew to stay exact, shape (n_q,)."""
        if not isinstance(self.normalizer, Separable):
            return np.zeros(self.scores.shape[-2], dtype=bool)
        total, whole = self.weights.state[lead][:, 1], self._whole[lead]  # (n_q,)
        near: BoolArray = (total <= SPREAD * whole) & (SPREAD * total >= whole)
        return ~near

    def _note_whole(self, lead: Index, rows: Places | slice) -> None:
        self._whole[lead][rows] = self.weights.state[lead][rows, -1]
        self._turned[lead][rows] = 0
