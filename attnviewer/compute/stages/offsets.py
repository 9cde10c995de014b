"""The places of queries and keys, shifted per batch item where need be."""

from typing import TypeAlias

import numpy as np

from attnviewer.compute.arrays import Array, Index, Part, Places, places

PerItem: TypeAlias = int | tuple["PerItem", ...]
"""One number for all, or one per batch item, nested as the axes of the batch are."""


def at(per_item: PerItem, lead: Index) -> Places:
    """Return the number of each matrix at `lead`, shape (..., 1, 1)."""
    numbers = np.asarray(per_item, dtype=np.intp)  # () or (batch,)
    if numbers.ndim == 0:
        return numbers
    if lead:
        return np.asarray(numbers[lead[:-1]])
    return numbers[..., np.newaxis, np.newaxis, np.newaxis]  # (batch, 1, 1, 1)


def shifted(per_item: PerItem, by: int) -> PerItem:
    """Return the numbers, each larger by so much."""
    if isinstance(per_item, tuple):
        return tuple(shifted(item, by) for item in per_item)
    return per_item + by


def query_places(scores: Array, part: Part, offset: PerItem) -> Places:
    """Return the place of each row of a window among the keys, shape (..., rows, 1)."""
    own = places(part.rows, scores.shape[-2])[:, np.newaxis]  # (rows, 1)
    moved: Places = own + at(offset, part.lead)  # (..., rows, 1)
    return moved


def key_places(scores: Array, part: Part) -> Places:
    """Return the place of each column of a window, shape (columns,)."""
    return places(part.columns, scores.shape[-1])
