"""Array types and selections used by the numeric code."""

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.floating[Any]]
Numbers: TypeAlias = NDArray[Any]
"""Numbers of any type, or booleans."""
BoolArray: TypeAlias = NDArray[np.bool_]
IndexArray: TypeAlias = NDArray[np.intp]
"""Positions of queries or keys."""
Selection: TypeAlias = slice | IndexArray
"""Some of the rows or columns of a step."""
Shape: TypeAlias = tuple[int, ...]
Index: TypeAlias = tuple[int, ...]
"""A cell of a step: ``(row, column)``, with the head and the batch item before."""

ALL = slice(None)


class Part(NamedTuple):
    """Some rows and columns of some matrices of a step.

    Parameters
    ----------
    lead : tuple of int
        Batch item and head of one matrix; () for all matrices.
    rows, columns : slice without step, or ndarray of intp
        The rows and columns.
    """

    lead: Index = ()
    rows: Selection = ALL
    columns: Selection = ALL

    @property
    def all_rows(self) -> "Part":
        """The same part, for an array that holds only its rows."""
        return self._replace(rows=ALL)

    def of(self, array: Array) -> Array:
        """Return the part of an array, shape (..., rows, columns)."""
        taken: Array = array[self.lead][..., self.rows, :][..., self.columns]
        return taken


def count(selection: Selection, n: int) -> int:
    """Return how many of `n` rows or columns a selection without a step has."""
    if isinstance(selection, slice):
        return len(range(n)[selection])
    return selection.size


def positions(selection: Selection, count: int) -> IndexArray:
    """Return the positions of a selection of `count` rows or columns."""
    if isinstance(selection, slice):
        first = selection.start or 0
        return np.arange(first, first + count)
    return selection


def read_only(array: Array) -> Array:
    """Return a read-only view of an array, which follows later writes to the array."""
    view = array.view()
    view.flags.writeable = False
    return view


def sum_to(array: Array, shape: Shape) -> Array:
    """Sum an array over the axes along which `shape` was broadcast to it."""
    extra = array.ndim - len(shape)
    axes = tuple(range(extra)) + tuple(
        axis + extra
        for axis, size in enumerate(shape)
        if size == 1 and array.shape[axis + extra] != 1
    )
    summed: Array = array.sum(axis=axes, keepdims=True) if axes else array
    return summed.reshape(shape)
