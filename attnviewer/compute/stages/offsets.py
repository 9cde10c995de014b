"""The positions of queries and keys, shifted per batch item if necessary."""

from typing import TypeAlias

import numpy as np

from attnviewer.compute.arrays import Array, Index, IndexArray, Part, positions

PerItem: TypeAlias = int | tuple["PerItem", ...]
"""One number for all, or one per batch item, nested as the axes of the batch are."""


def at(per_item: PerItem, lead: Index) -> IndexArray:
    """Return the number of each matrix at `lead`, shape (..., 1, 1)."""
    numbers = np.asarray(per_item, dtype=np.intp)  # () or (batch,)
    if numbers.ndim == 0:
        return numbers
    if lead:
        return np.asarray(numbers[lead[:-1]])
    return numbers[..., np.newaxis, np.newaxis, np.newaxis]  # (batch, 1, 1, 1)


def shifted(per_item: PerItem, by: int) -> PerItem:
    """Return the numbers, each increased by `by`."""
    if isinstance(per_item, tuple):
        return tuple(shifted(item, by) for item in per_item)
    return per_item + by


def query_positions(scores: Array, part: Part, offset: PerItem) -> IndexArray:
    """Return the position of each row of a window among the keys, (..., rows, 1)."""
    rows = positions(part.rows, scores.shape[-2])[:, np.newaxis]  # (rows, 1)
    moved: IndexArray = rows + at(offset, part.lead)  # (..., rows, 1)
    return moved


def ends_of_queries(scores: Array, part: Part, offset: PerItem) -> tuple[int, int]:
    """Return the smallest and the largest position of a window's rows."""
    rows = part.rows
    if isinstance(rows, slice) and not isinstance(offset, tuple):
        first = (rows.start or 0) + offset
        return first, first + scores.shape[-2] - 1
    queries = query_positions(scores, part, offset)  # (..., rows, 1)
    return int(queries.min()), int(queries.max())


def key_positions(scores: Array, part: Part) -> IndexArray:
    """Return the position of each column of a window, shape (columns,)."""
    return positions(part.columns, scores.shape[-1])
