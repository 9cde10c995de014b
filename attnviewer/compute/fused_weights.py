"""Weights of normalised scores, computed in place and stored as numerators."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from threading import Lock

import numpy as np

from attnviewer.compute.arrays import ALL, Array, Index, Part
from attnviewer.compute.cost import SCORE_COST
from attnviewer.compute.normalizers import Normalizer
from attnviewer.compute.row_blocks import at_once
from attnviewer.compute.scores import Scores
from attnviewer.compute.stages import Mix
from attnviewer.compute.threads import in_threads, one_blas_thread, parts
from attnviewer.compute.weights import Weights

FINISHED_BYTES, FINISHED_ROWS = 2**19, 128
"""The most bytes that are normalised at a time, or rows where these have more: they
stay in the processor's cache. With less, threads wait for the interpreter between their
operations (measured)."""
DIVISION_COST = 25
"""The cost of dividing a numerator, in multiply-adds of a matrix product (measured)."""

_allocating = Lock()
"""Held by the thread that allocates the state of the rows of some weights."""


@dataclass(slots=True)
class FusedWeights(Weights):
    """The attention weights in stored form: numerators and row states.

    The same numbers as those of `WeightsByStage`, up to rounding, without an array for
    each step: a block of scores is turned into numerators in place, keys that a mask
    hides from all of its rows are left out, and the weighted sums are divided, not the
    weights.

    Parameters
    ----------
    scores : Scores
        The scores that are normalised.
    normalizer : Normalizer
        The normaliser.
    state : ndarray, shape (..., n_q, number of states)
        The state of each row.
    kept : ndarray, shape (..., n_q, n_k), or None
        The weights, or numbers that a divisor turns into them; None where only
        the state is kept.
    divides : bool
        Whether kept numerators are divided once the values are mixed, while they are
        in the processor's cache. Weights that are to be read then need no other array.
    """

    scores: Scores
    normalizer: Normalizer
    state: Array
    kept: Array | None
    divides: bool = False

    def blocks(self) -> Iterator[tuple[Index, slice]]:
        shape = self.scores.shape
        few = []
        if len(shape) > 2 and at_once(shape):
            few = parts(shape[-2], SCORE_COST * math.prod(shape))
        if len(few) < 2:
            yield from Weights.blocks(self)
        else:
            yield from (((), rows) for rows in few)

    def reach(self, lead: Index, rows: slice) -> slice:
        if self.normalizer.whole_rows or self._in_one_go(lead, rows):
            return slice(0, self.scores.shape[-1])
        return self.scores.reach(lead, rows.start, rows.stop - 1)

    def weigh(self, lead: Index, rows: slice) -> tuple[Array, Array | None]:
        numerators = self.compute(lead, rows)  # (..., rows, columns)
        return numerators, self.normalizer.divisor(Part(lead, rows).of(self.state))

    def mix(
        self, lead: Index, rows: slice, values: Array, mix: Mix, out: Array
    ) -> Array:
        mixed = Weights.mix(self, lead, rows, values, mix, out)
        if self.divides and self.kept is not None:
            divisor = self.normalizer.divisor(Part(lead, rows).of(self.state))
            if divisor is not None:
                seen = Part(lead, rows, self.reach(lead, rows)).of(self.kept)
                np.divide(seen, divisor, out=seen, casting="same_kind")
        return mixed

    def read(self, step: str, part: Part) -> Array:
        if step in self.scores.steps:
            return self.scores.window(step, part)
        return self.window(part)

    def window(self, part: Part) -> Array:
        """Return a part of the weights."""
        state = Part(part.lead, part.rows).of(self.state)  # (..., rows, n_states)
        if self.kept is None:
            scores = self.scores.last(part)
            self.normalizer.overwrite(scores, state, part.columns)
            return scores
        numerators = self.numerators(part)  # (..., rows, columns)
        if self.divides:
            return numerators
        divisor = self.normalizer.divisor(state)
        if divisor is None:
            return numerators.copy()
        window = np.empty(numerators.shape, numerators.dtype)

        def divide(some: slice) -> None:
            np.divide(
                numerators[some], divisor[some], out=window[some], casting="same_kind"
            )

        work = DIVISION_COST * window.size
        with one_blas_thread(work):
            in_threads(divide, parts(len(window), work))
        return window

    def numerators(self, part: Part) -> Array:
        """Return a part of the stored numerators, which must not be written to."""
        assert self.kept is not None
        return part.of(self.kept)

    def compute(self, lead: Index, rows: slice) -> Array:
        """Compute some rows of the weights; return their numerators.

        Columns that a mask hides from all of the rows are left out.
        """
        columns = self.reach(lead, rows)
        out = None if self.kept is None else Part(lead, rows, columns).of(self.kept)
        block = self.scores.compare(Part(lead, rows, columns), out)
        if self._in_one_go(lead, rows):
            self._finish(block, Part(lead, rows))
            return block
        size = max(FINISHED_ROWS, FINISHED_BYTES // block[0].nbytes)
        for first in range(rows.start, rows.stop, size):
            few = slice(first, min(first + size, rows.stop))
            seen = self.reach(lead, few)
            window = block[few.start - rows.start : few.stop - rows.start]
            start, stop = seen.start - columns.start, seen.stop - columns.start
            window[:, :start] = window[:, stop:] = 0
            self._finish(window[:, start:stop], Part(lead, few, seen))
        return block

    def _in_one_go(self, lead: Index, rows: slice) -> bool:
        """Return whether rows are not divided further: all, or those of all heads."""
        return rows == ALL or len(lead) < len(self.scores.shape) - 2

    def _finish(self, block: Array, part: Part) -> None:
        """Turn a part of the comparison into numerators of weights, in place."""
        self.scores.finish(block, part)
        state = self.normalizer.keep(block)  # (..., rows, number of states)
        with _allocating:
            if not self.state.size:
                # The normaliser decides how many states a row has, and their type.
                dtype = np.promote_types(self.state.dtype, state.dtype)
                self.state = np.empty((*self.scores.shape[:-1], state.shape[-1]), dtype)
        self.state[part.lead][..., part.rows, :] = state
