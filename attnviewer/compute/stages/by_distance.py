"""Numbers that depend on nothing but how far a key is from a query."""

from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from attnviewer.compute.arrays import Array, IndexArray, Part
from attnviewer.compute.stages.offsets import (
    PerItem,
    key_positions,
    query_positions,
)


def add_by_distance(
    scores: Array,
    part: Part,
    query_offset: PerItem,
    n_keys: int,
    numbers: Callable[[IndexArray], Array],
) -> None:
    """Add a number for each distance to a window of the scores, in place.

    Of successive rows and keys, there are far fewer distances than pairs: each number
    is computed once, and no array of the window's size is needed. Other rows are taken
    in turn.

    Parameters
    ----------
    scores : ndarray, shape (..., rows, columns)
        The window.
    part : Part
        Which part of all scores it is.
    query_offset : int or tuple of int
        The position of the first query.
    n_keys : int
        Keys that have a position; nothing is added to those after them.
    numbers : callable
        Returns the numbers of distances j − i, shape (..., rows, columns), broadcast
        to those of all heads of the window.
    """
    queries = query_positions(scores, part, query_offset)  # (..., rows, 1)
    keys = key_positions(scores, part)  # (columns,)
    placed = keys < n_keys  # (columns,)
    n_placed = int(np.count_nonzero(placed))
    if queries.ndim > 2 or not isinstance(part.columns, slice):
        added = numbers(keys - queries)  # (..., rows, columns)
        scores += np.where(placed, added, added.dtype.type(0))
    elif n_placed:
        own = scores[..., :n_placed]  # (..., rows, placed keys)
        for rows in _successive(queries[:, 0]):
            first = keys[0] - queries[rows.stop - 1, 0]
            last = keys[n_placed - 1] - queries[rows.start, 0]
            line = numbers(np.arange(first, last + 1)[np.newaxis])[..., 0, :]
            wide = sliding_window_view(line, n_placed, axis=-1)  # (..., rows, keys)
            own[..., rows, :] += wide[..., ::-1, :]


def _successive(positions: IndexArray) -> Iterator[slice]:
    """Yield the runs of positions each of which is one more than that before it."""
    edges = np.flatnonzero(np.diff(positions) != 1) + 1
    bounds = [0, *edges.tolist(), len(positions)]
    for start, stop in pairwise(bounds):
        if start < stop:
            yield slice(start, stop)
