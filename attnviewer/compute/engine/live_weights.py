"""Attention weights, kept up to date with queries and keys."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from attnviewer.compute.arrays import ALL, Array, BoolArray, Index, IndexArray, Part
from attnviewer.compute.engine.low_rank import ROWS, LowRankUpdate
from attnviewer.compute.fused_weights import FusedWeights
from attnviewer.compute.normalizers import Normalizer
from attnviewer.compute.progress import Progress
from attnviewer.compute.row_blocks import blocks, row_blocks
from attnviewer.compute.scores import Scores
from attnviewer.compute.threads import in_threads

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
        self._updates: dict[Index, LowRankUpdate] = {}
        self.view = _UpdatedWeights(
            scores, normalizer, np.empty((*shape, 0)), self.kept, self._updates
        )
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
        parts = list(blocks(self.scores.shape))
        done: list[int] = []

        def build(block: tuple[Index, slice]) -> None:
            done.append(self.view.compute(*block).size)
            if progress is not None:
                progress(len(done) / len(parts))

        build(parts[0])  # allocates the states of all rows
        in_threads(build, parts[1:])
        self.touched += sum(done)
        for lead in self.matrices:
            self._note_whole(lead, ALL)
            self._n_updates[lead] = 0

    def recompute_matrix(self, lead: Index) -> None:
        """Recompute all rows of one matrix."""
        parts = list(row_blocks(*self.scores.shape[-2:]))
        done: list[int] = []
        in_threads(lambda rows: done.append(self.view.compute(lead, rows).size), parts)
        self.touched += sum(done)
        self._updates.pop(lead, None)
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
        if lead in self._updates:
            self._updates[lead].clear_rows(rows)
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
        self.flush_updates()
        window = self.scores.last(Part(columns=columns))  # (..., n_q, columns)
        self.touched += window.size
        unfit = self.normalizer.keep_columns(window, state)  # (..., n_q)
        self._whole[unfit] = np.nan
        difference = window.astype(np.float64)  # (..., n_q, columns)
        difference -= self.kept[..., columns]
        self.kept[..., columns] = window
        total += difference.sum(axis=-1)
        return difference

    def update_low_rank(
        self, lead: Index, side: int, columns: IndexArray, queries: Array, keys: Array
    ) -> bool:
        """Update one matrix whose dot products changed by ``queries @ keys.T``.

        The totals are updated now, the numerators when all of them are needed.

        Parameters
        ----------
        lead : tuple of int
            The matrix.
        side : int
            0 where columns of the queries have changed, 1 for the keys.
        columns : ndarray of intp
            The r changed columns.
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
        n_q, n_k = self.scores.shape[-2:]
        if lead in self._updates and not self._updates[lead].has_room(side, columns):
            self._flush_update(lead)
        update = self._updates.setdefault(
            lead, LowRankUpdate(n_q, n_k, self.kept.dtype)
        )
        left[far] = 0  # these rows are recomputed below
        update.add(side, columns, left, keys.T)
        for rows in self._row_blocks():
            reach = self.view.reach(lead, rows)
            factors = update.block_factors(rows, reach)  # (rows, columns)
            kept = Part(lead, rows, reach).of(self.kept)
            total = kept[:, np.newaxis] @ factors[:, :, np.newaxis]  # (rows, 1, 1)
            self._whole[lead][rows] = total[:, 0, 0]
            self.view.state[lead][rows, 1] = total[:, 0, 0]
        self.touched += int(np.count_nonzero(~far)) * n_k
        if far.any():
            self.recompute_rows(lead, np.flatnonzero(far))
        return True

    def flush_updates(self) -> None:
        """Apply all pending updates to the numerators."""
        for lead in list(self._updates):
            self._flush_update(lead)

    def _flush_update(self, lead: Index) -> None:
        update = self._updates.pop(lead)
        for rows in self._row_blocks():
            columns = self.view.reach(lead, rows)
            kept = Part(lead, rows, columns).of(self.kept)
            kept *= update.block_factors(rows, columns)
        self._n_updates[lead] += 1

    def _row_blocks(self) -> Iterator[slice]:
        n_q = self.scores.shape[-2]
        for first in range(0, n_q, ROWS):
            yield slice(first, min(first + ROWS, n_q))

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


@dataclass(slots=True)
class _UpdatedWeights(FusedWeights):
    """Weights with low-rank updates that are not yet applied to the numerators."""

    updates: Mapping[Index, LowRankUpdate]

    def numerators(self, part: Part) -> Array:
        # With slots, dataclass replaces the class, so super() without arguments fails.
        numerators = FusedWeights.numerators(self, part)  # (..., rows, columns)
        updated = [lead for lead in self.updates if part.lead in ((), lead)]
        if not updated:
            return numerators
        window = numerators.copy()  # (..., rows, columns)
        for lead in updated:
            factor = self.updates[lead].factors(part.rows, part.columns)
            window[lead[len(part.lead) :]] *= factor
        return window
