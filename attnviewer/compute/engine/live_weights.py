"""Attention weights that follow their queries and keys."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from attnviewer.compute.arrays import ALL, Array, BoolArray, Index, Part, Places
from attnviewer.compute.engine.turn import ROWS, Turn
from attnviewer.compute.normalizers import Normalizer
from attnviewer.compute.passes import Weights, blocks, row_blocks, weigh
from attnviewer.compute.scores import Scores
from attnviewer.compute.threads import in_threads

SPREAD = 8.0
"""How far a row's total may drift from what it was when computed whole.

Beyond, the sum has cancelled digits, or left the range its shift was chosen for.
"""

Progress = Callable[[float], None]
"""Is told the share of a computation that is done; may raise to give it up."""

_REDONE_ROWS = 64
"""Scattered rows that are computed anew at a time, so that they need little memory."""

_MOST_FOLLOWED = {4: 8, 8: 64}
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
    progress : callable, optional
        Is told the share of the rows that is there, after each block of them.

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
        self._turns: dict[Index, Turn] = {}
        self.view = _TurnedWeights(
            scores, normalizer, np.empty((*shape, 0)), self.kept, self._turns
        )
        self._whole = np.empty(shape)  # (..., n_q)
        self._turned = np.zeros(shape)  # (..., n_q)
        self._followed = np.zeros(shape[:-1], dtype=np.intp)  # (...)
        self._build(progress)

    @property
    def divisor(self) -> Array | None:
        """What `kept` is divided by, shape (..., n_q, 1); None if by nothing."""
        return self.normalizer.divisor(self.view.state)

    @property
    def matrices(self) -> list[Index]:
        """The place of each matrix of weights: batch item and head."""
        return list(np.ndindex(self.scores.shape[:-2]))

    def _build(self, progress: Progress | None) -> None:
        parts = list(blocks(self.scores.shape))
        done: list[int] = []

        def build(place: tuple[Index, slice]) -> None:
            done.append(weigh(self.view, *place).size)
            if progress is not None:
                progress(len(done) / len(parts))

        build(parts[0])  # which makes room for the states of all rows
        in_threads(build, parts[1:])
        self.touched += sum(done)
        for lead in self.matrices:
            self._note_whole(lead, ALL)
            self._followed[lead] = 0

    def rebuild_matrix(self, lead: Index) -> None:
        """Compute all rows of one matrix anew."""
        parts = list(row_blocks(*self.scores.shape[-2:]))
        done: list[int] = []
        in_threads(lambda rows: done.append(weigh(self.view, lead, rows).size), parts)
        self.touched += sum(done)
        self._turns.pop(lead, None)
        self._note_whole(lead, ALL)
        self._followed[lead] = 0

    def redo(self, lead: Index, rows: Places) -> None:
        """Compute some rows of one matrix anew."""
        for first in range(0, rows.size, _REDONE_ROWS):
            few = rows[first : first + _REDONE_ROWS]
            block = self.scores.last(Part(lead, few))  # (few, n_k)
            self.touched += block.size
            self.view.state[lead][few] = self.normalizer.keep(block)
            self.kept[lead][few] = block
        if lead in self._turns:
            self._turns[lead].forget(rows)
        self._note_whole(lead, rows)

    def replace(self, columns: Places) -> Array | None:
        """Compute some columns anew, and the totals from what has changed.

        Returns
        -------
        ndarray of float64, shape (..., n_q, columns), or None
            How much was added to the numerators; None where a key cannot change
            alone, so that all rows must be computed anew.
        """
        state = self.view.state  # (..., n_q, number of states)
        total = self.normalizer.total(state)  # (..., n_q), a view
        if total is None:
            return None
        self.follow_turns()
        window = self.scores.last(Part(columns=columns))  # (..., n_q, columns)
        self.touched += window.size
        unfit = self.normalizer.keep_columns(window, state)  # (..., n_q)
        self._whole[unfit] = np.nan
        difference = window.astype(np.float64)  # (..., n_q, columns)
        difference -= self.kept[..., columns]
        self.kept[..., columns] = window
        total += difference.sum(axis=-1)
        return difference

    def turn(
        self, lead: Index, side: int, columns: Places, queries: Array, keys: Array
    ) -> bool:
        """Follow scores of one matrix that have changed by ``queries @ keys.T``.

        The totals follow now, the numerators when all of them are needed.

        Parameters
        ----------
        lead : tuple of int
            The matrix.
        side : int
            0 where columns of the queries have changed, 1 for the keys.
        columns : ndarray of intp
            Which, r of them.
        queries : ndarray, shape (n_q, r)
        keys : ndarray, shape (n_k, r)
            Factors of the change of the dot products.

        Returns
        -------
        bool
            False if the matrix must be computed anew.
        """
        normalizer, slope = self.normalizer, self.scores.slope
        if slope is None or not normalizer.exponential:
            return False
        bytes_each = self.kept.dtype.itemsize
        if self._followed[lead] >= _MOST_FOLLOWED[bytes_each]:
            return False
        left = queries * (slope / normalizer.temperature)  # (n_q, r)
        self._turned[lead] += np.abs(left) @ np.abs(keys).max(axis=0)
        far = ~(self._turned[lead] <= _MOST_TURN[bytes_each])  # (n_q,)
        if far.mean() > 0.5:
            return False
        n_q, n_k = self.scores.shape[-2:]
        if lead in self._turns and not self._turns[lead].takes(side, columns):
            self._follow_turn(lead)
        turn = self._turns.setdefault(lead, Turn(n_q, n_k, self.kept.dtype))
        left[far] = 0  # these rows are computed anew
        turn.add(side, columns, left, keys.T)
        for rows in self._few_rows():
            reach = self.view.reach(lead, rows)
            factors = turn.few_factors(rows, reach)  # (rows, columns)
            kept = Part(lead, rows, reach).of(self.kept)
            total = kept[:, np.newaxis] @ factors[:, :, np.newaxis]  # (rows, 1, 1)
            self._whole[lead][rows] = total[:, 0, 0]
            self.view.state[lead][rows, 1] = total[:, 0, 0]
        self.touched += int(np.count_nonzero(~far)) * n_k
        if far.any():
            self.redo(lead, np.flatnonzero(far))
        return True

    def follow_turns(self) -> None:
        """Bring all numerators up to date."""
        for lead in list(self._turns):
            self._follow_turn(lead)

    def _follow_turn(self, lead: Index) -> None:
        turn = self._turns.pop(lead)
        for rows in self._few_rows():
            columns = self.view.reach(lead, rows)
            kept = Part(lead, rows, columns).of(self.kept)
            kept *= turn.few_factors(rows, columns)
        self._followed[lead] += 1

    def _few_rows(self) -> Iterator[slice]:
        n_q = self.scores.shape[-2]
        for first in range(0, n_q, ROWS):
            yield slice(first, min(first + ROWS, n_q))

    def drifted(self, lead: Index) -> BoolArray:
        """Return which rows must be computed anew to stay exact, shape (n_q,)."""
        whole = self._whole[lead]  # (n_q,)
        total = self.normalizer.total(self.view.state[lead])  # (n_q,)
        if total is None:
            return np.zeros(whole.shape, dtype=bool)
        near: BoolArray = (total <= SPREAD * whole) & (SPREAD * total >= whole)
        return ~near

    def _note_whole(self, lead: Index, rows: Places | slice) -> None:
        self._whole[lead][rows] = self.view.state[lead][rows, -1]
        self._turned[lead][rows] = 0


@dataclass(slots=True)
class _TurnedWeights(Weights):
    """Weights of which some numerators are still to follow a turn."""

    turns: Mapping[Index, Turn]

    def numerators(self, part: Part) -> Array:
        # A class with slots is made anew, which super() alone would not know.
        numerators = Weights.numerators(self, part)  # (..., rows, columns)
        turned = [lead for lead in self.turns if part.lead in ((), lead)]
        if not turned:
            return numerators
        window = numerators.copy()  # (..., rows, columns)
        for lead in turned:
            factor = self.turns[lead].factor(part.rows, part.columns)
            window[lead[len(part.lead) :]] *= factor
        return window
