"""Attention weights, kept up to date with queries and keys."""

import numpy as np

from attnviewer.compute.arrays import ALL, Array, BoolArray, Index, IndexArray, Part
from attnviewer.compute.cost import LOW_RANK_COST
from attnviewer.compute.engine.low_rank import multiply_by_exponentials
from attnviewer.compute.fused_weights import FusedWeights
from attnviewer.compute.normalizers import Normalizer
from attnviewer.compute.progress import Progress
from attnviewer.compute.row_blocks import blocks, row_blocks
from attnviewer.compute.scores import Scores
from attnviewer.compute.threads import in_threads, one_blas_thread, parts

SPREAD = 8.0
"""By which factor a row's total may drift before the row is recomputed.

Beyond, the sum has cancelled digits, or left the range its shift was chosen for.
"""

_REDONE_ROWS = 64
"""Scattered rows that are recomputed at a time, to limit the memory needed."""

_MOST_UPDATES = {4: 8, 8: 64}
_MOST_EXPONENT = {4: 4.0, 8: 30.0}
"""By item size: how many updates, and which total exponent, numerators may take before
they are recomputed, because each multiplication rounds them."""


class LiveWeights:
    """The numerators of the weights and their totals, updated edit by edit.

    The totals are in double precision whatever the type of the numerators, so that
    adding and subtracting a numerator leaves no error behind.

    Parameters
    ----------
    scores : Scores
        The scores that are normalised.
    normalizer : Normalizer
        The normaliser.
    progress : callable, optional
        Called with the completed fraction of the rows after each block.

    Attributes
    ----------
    touched : int
        How many scores or numerators have been computed so far.
    """

    def __init__(
        self,
        scores: Scores,
        normalizer: Normalizer,
        progress: Progress | None = None,
    ) -> None:
        self.scores = scores
        self.normalizer = normalizer
        self.touched = 0
        shape = scores.shape[:-1]  # (..., n_q)
        self.kept = np.zeros(scores.shape, scores.dtype)  # (..., n_q, n_k)
        self.view = FusedWeights(scores, normalizer, np.empty((*shape, 0)), self.kept)
        self._whole = np.empty(shape)  # (..., n_q)
        self._exponents = np.zeros(shape)  # (..., n_q)
        self._n_updates = np.zeros(shape[:-1], dtype=np.intp)  # (...)
        self._build(progress)

    @property
    def divisor(self) -> Array | None:
        """The divisor of `kept`, shape (..., n_q, 1); None if there is none."""
        return self.normalizer.divisor(self.view.state)

    @property
    def follows_low_rank(self) -> bool:
        """Whether `update_low_rank` may be possible."""
        return self.scores.slope is not None and self.normalizer.exponential

    @property
    def matrices(self) -> list[Index]:
        """The index of each matrix of weights: batch item and head."""
        return list(np.ndindex(self.scores.shape[:-2]))

    def _build(self, progress: Progress | None) -> None:
        every = list(blocks(self.scores.shape))
        done: list[int] = []

        def build(block: tuple[Index, slice]) -> None:
            done.append(self.view.compute(*block).size)
            if progress is not None:
                progress(len(done) / len(every))

        build(every[0])  # allocates the states of all rows
        in_threads(build, every[1:])
        self.touched += sum(done)
        for lead in self.matrices:
            self._note_whole(lead, ALL)
            self._n_updates[lead] = 0

    def recompute_matrix(self, lead: Index) -> None:
        """Recompute all rows of one matrix."""
        every = list(row_blocks(*self.scores.shape[-2:]))
        done: list[int] = []
        in_threads(lambda rows: done.append(self.view.compute(lead, rows).size), every)
        self.touched += sum(done)
        self._note_whole(lead, ALL)
        self._n_updates[lead] = 0

    def recompute_rows(self, lead: Index, rows: IndexArray) -> None:
        """Recompute some rows of one matrix."""
        for first in range(0, rows.size, _REDONE_ROWS):
            few = rows[first : first + _REDONE_ROWS]
            block = self.scores.last(Part(lead, few))  # (few, n_k)
            self.touched += block.size
            self.view.state[lead][few] = self.normalizer.keep(block)
            self.kept[lead][few] = block
        self._note_whole(lead, rows)

    def replace_columns(self, columns: IndexArray) -> Array | None:
        """Recompute some columns, and update the totals by the difference.

        Returns
        -------
        ndarray of float64, shape (..., n_q, columns), or None
            The change of the numerators; None if the normaliser needs whole rows, which
            must then be recomputed.
        """
        state = self.view.state  # (..., n_q, number of states)
        total = self.normalizer.total(state)  # (..., n_q), a view
        if total is None:
            return None
        window = self.scores.last(Part(columns=columns))  # (..., n_q, columns)
        self.touched += window.size
        unfit = self.normalizer.keep_columns(window, state)  # (..., n_q)
        self._whole[unfit] = np.nan
        difference = window.astype(np.float64)  # (..., n_q, columns)
        difference -= self.kept[..., columns]
        self.kept[..., columns] = window
        total += difference.sum(axis=-1)
        return difference

    def update_low_rank(self, lead: Index, queries: Array, keys: Array) -> bool:
        """Update one matrix whose dot products changed by ``queries @ keys.T``.

        Parameters
        ----------
        lead : tuple of int
            The matrix.
        queries : ndarray, shape (n_q, r)
        keys : ndarray, shape (n_k, r)
            The factors of the change.

        Returns
        -------
        bool
            False if the matrix must be recomputed instead.
        """
        normalizer, slope = self.normalizer, self.scores.slope
        if not self.follows_low_rank or slope is None:
            return False
        bytes_each = self.kept.dtype.itemsize
        if self._n_updates[lead] >= _MOST_UPDATES[bytes_each]:
            return False
        left = queries * (slope / normalizer.temperature)  # (n_q, r)
        self._exponents[lead] += np.abs(left) @ np.abs(keys).max(axis=0)
        far = ~(self._exponents[lead] <= _MOST_EXPONENT[bytes_each])  # (n_q,)
        # A fresh pass adds nothing to an infinite score, and rounds what it adds to a
        # large one.
        shift = self.view.state[lead][:, 0]  # (n_q,)
        large = np.abs(shift) > 1 / np.sqrt(np.finfo(self.kept.dtype).eps)
        far |= large & ~np.isneginf(shift)
        if far.mean() > 0.5:
            return False
        left[far] = 0  # these rows are recomputed below
        self._multiply(lead, left, keys.T)
        self._n_updates[lead] += 1
        self.touched += int(np.count_nonzero(~far)) * len(keys)
        if far.any():
            self.recompute_rows(lead, np.flatnonzero(far))
        return True

    def _multiply(self, lead: Index, left: Array, right: Array) -> None:
        """Multiply the numerators of a matrix by e to the ``left @ right``.

        Parameters
        ----------
        lead : tuple of int
            The matrix.
        left : ndarray, shape (n_q, r)
        right : ndarray, shape (r, n_k)
            The change of the scores.
        """
        kept, total = self.kept[lead], self.view.state[lead][:, 1]  # (n_q, n_k), (n_q,)

        def multiply(rows: slice) -> None:
            seen = self.view.reach(lead, rows)
            total[rows] = multiply_by_exponentials(
                kept[rows, seen], left[rows], right[:, seen]
            )

        work = LOW_RANK_COST * kept.size
        with one_blas_thread(work):
            in_threads(multiply, parts(len(kept), work))
        self._whole[lead] = total

    def drifted(self, lead: Index) -> BoolArray:
        """Return which rows must be recomputed to remain exact, shape (n_q,)."""
        whole = self._whole[lead]  # (n_q,)
        total = self.normalizer.total(self.view.state[lead])  # (n_q,)
        if total is None:
            return np.zeros(whole.shape, dtype=bool)
        near: BoolArray = (total <= SPREAD * whole) & (SPREAD * total >= whole)
        return ~near

    def _note_whole(self, lead: Index, rows: IndexArray | slice) -> None:
        self._whole[lead][rows] = self.view.state[lead][rows, -1]
        self._exponents[lead][rows] = 0
