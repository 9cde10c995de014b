"""One pass over the rows of the scores: their weights and the weighted values."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from attnviewer.compute.arrays import ALL, Array, Index, Part, Shape
from attnviewer.compute.normalizers import Normalizer
from attnviewer.compute.scores import Scores
from attnviewer.compute.sections import Pipeline
from attnviewer.compute.stages.project import split_heads
from attnviewer.compute.stages.shared_heads import share, shared_by
from attnviewer.compute.threads import in_threads

ROWS, BLOCK = 512, 2**22
"""The most rows, and the most scores, of a block, which is computed by one matrix
product. Each thread works on one block at a time."""
FINISHED = 128
"""Rows that are normalised at a time, so that they stay in the processor's cache."""
SMALL = 2**18
"""The most scores that are computed without blocks, as of 12 heads and 128 tokens:
blocks would take up to twice as long (measured)."""
MOST_KEPT = 2**30
"""The most bytes of weights that are stored; larger ones are computed when read."""


@dataclass(slots=True)
class Weights:
    """The attention weights in stored form: numerators and row states.

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
    """

    scores: Scores
    normalizer: Normalizer
    state: Array
    kept: Array | None

    def reach(self, lead: Index, rows: slice) -> slice:
        """Return a range that holds every key which some of the rows may see."""
        if self.normalizer.whole_rows or rows == ALL:
            return slice(0, self.scores.shape[-1])
        return self.scores.reach(lead, rows.start, rows.stop - 1)

    def window(self, part: Part) -> Array:
        """Return a part of the weights."""
        state = Part(part.lead, part.rows).of(self.state)  # (..., rows, n_states)
        if self.kept is None:
            scores = self.scores.last(part)
            assert isinstance(part.columns, slice)
            return self.normalizer.apply(scores, state, part.columns.start or 0)
        divisor = self.normalizer.divisor(state)
        numerators = self.numerators(part)  # (..., rows, columns)
        if divisor is None:
            return numerators.copy()
        window = np.empty(numerators.shape, numerators.dtype)
        return np.divide(numerators, divisor, out=window, casting="same_kind")

    def numerators(self, part: Part) -> Array:
        """Return a part of the stored numerators, which must not be written to."""
        assert self.kept is not None
        return part.of(self.kept)


def attend(pipeline: Pipeline, steps: Mapping[str, Array]) -> tuple[Weights, Array]:
    """Compute the weights and the weighted sum of the values.

    Parameters
    ----------
    pipeline : Pipeline
        The stages.
    steps : mapping of str to ndarray
        The steps before the scores.

    Returns
    -------
    weights : Weights
        The weights.
    heads : ndarray, shape (..., h, n_q, d_v)
        The weighted values.
    """
    scores, normalizer = Scores(pipeline, steps), pipeline.normalize.normalizer
    values = steps[pipeline.mix.inputs[1]]  # (..., h_kv, n_k, d_v)
    shape, dtype = scores.shape, scores.dtype
    kept = None
    if np.dtype(dtype).itemsize * math.prod(shape) <= MOST_KEPT:
        # With several blocks, parts that a mask hides entirely are never written.
        create = np.empty if math.prod(shape) <= SMALL else np.zeros
        kept = create(shape, dtype)  # (..., h, n_q, n_k)
    weights = Weights(scores, normalizer, np.empty((*shape[:-1], 0), dtype), kept)
    heads = _room(shape, values.shape[-1], dtype)  # (..., h, n_q, d_v)
    group = shared_by(shape, values.shape)

    def attend_block(block: tuple[Index, slice]) -> None:
        lead, rows = block
        columns = weights.reach(lead, rows)
        numerators = weigh(weights, lead, rows)  # (..., rows, columns)
        divisor = normalizer.divisor(Part(lead, rows).of(weights.state))
        shared = share(values, lead, group)[..., columns, :]  # (..., columns, d_v)
        mixed = heads[lead][..., rows, :]  # (..., rows, d_v)
        mixed[...] = pipeline.mix.sums(numerators, shared, divisor, mixed)

    first, *others = blocks(shape)
    attend_block(first)  # allocates the states of all rows
    in_threads(attend_block, others)
    return weights, heads


def _room(shape: Shape, d_v: int, dtype: np.dtype[Any]) -> Array:
    """Return memory for the heads, laid out side by side as once concatenated."""
    if len(shape) == 2:
        return np.empty((shape[0], d_v), dtype)
    *batch, n_heads, n_q, _ = shape
    return split_heads(np.empty((*batch, n_q, n_heads * d_v), dtype), n_heads)


def blocks(shape: Shape) -> Iterator[tuple[Index, slice]]:
    """Yield the matrices and rows that are computed at a time."""
    if math.prod(shape) <= SMALL:
        yield (), ALL
        return
    for lead in np.ndindex(shape[:-2]):
        for rows in row_blocks(*shape[-2:]):
            yield lead, rows


def row_blocks(n_rows: int, n_columns: int, first: int = 0) -> Iterator[slice]:
    """Yield the rows of one matrix, from `first` on, that are computed at a time."""
    size = max(1, min(ROWS, BLOCK // n_columns))
    for start in range(first, n_rows, size):
        yield slice(start, min(start + size, n_rows))


def weigh(weights: Weights, lead: Index, rows: slice) -> Array:
    """Compute some rows of the weights; return their numerators.

    Columns that a mask hides from all of the rows are left out.
    """
    scores = weights.scores
    columns = weights.reach(lead, rows)
    out = None if weights.kept is None else Part(lead, rows, columns).of(weights.kept)
    block = scores.compare(Part(lead, rows, columns), out)  # (..., rows, columns)
    if rows == ALL:
        _finish(weights, block, Part())
        return block
    for first in range(rows.start, rows.stop, FINISHED):
        few = slice(first, min(first + FINISHED, rows.stop))
        seen = weights.reach(lead, few)
        window = block[few.start - rows.start : few.stop - rows.start]  # (few, columns)
        start, stop = seen.start - columns.start, seen.stop - columns.start
        window[:, :start] = window[:, stop:] = 0
        _finish(weights, window[:, start:stop], Part(lead, few, seen))
    return block


def _finish(weights: Weights, block: Array, part: Part) -> None:
    """Turn a part of the comparison into numerators of weights, in place."""
    weights.scores.finish(block, part)
    state = weights.normalizer.keep(block)  # (..., rows, number of states)
    if not weights.state.size:
        # The normaliser decides how many states a row has, and their type.
        dtype = np.promote_types(weights.state.dtype, state.dtype)
        weights.state = np.empty((*weights.scores.shape[:-1], state.shape[-1]), dtype)
    weights.state[part.lead][..., part.rows, :] = state
