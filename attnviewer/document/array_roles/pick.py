"""A matrix that is taken out of an array."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from itertools import product
from typing import Literal, TypeAlias

import numpy as np

from attnviewer.compute import Array

Shape: TypeAlias = tuple[int, ...]
Place: TypeAlias = int | Literal["heads"] | None
"""What is done with an axis: an index picks, "heads" are joined, None is kept."""

HEADS: Literal["heads"] = "heads"
THIRDS = 3
"""Queries, keys and values in one array, in this order."""
_MARKS = re.compile(r"(.*?)(?:\[([^\[\]]*)\])?(\.T)?(?::([123])/3)?", re.DOTALL)
_INDEX = re.compile(r"-?[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class Pick:
    """A matrix that is taken out of an array.

    Parameters
    ----------
    array : str
        The array's name.
    index : tuple of int, "heads" or None
        What is done with each axis: two of them (of a bias, one) are kept, heads are
        joined side by side, and of the others one place is picked. Empty for an array
        that is a matrix or a vector as it is.
    transposed : bool
        Whether rows and columns change places, within each head.
    third : int or None
        Which third of the columns, from zero; None for all of them.
    """

    array: str
    index: tuple[Place, ...] = ()
    transposed: bool = False
    third: int | None = None

    def __str__(self) -> str:
        """Write it as `parse_pick` reads it: ``name[0,heads,:,:].T:2/3``."""
        axes = ",".join(":" if place is None else str(place) for place in self.index)
        index = f"[{axes}]" if self.index else ""
        transposed = ".T" if self.transposed else ""
        third = "" if self.third is None else f":{self.third + 1}/{THIRDS}"
        return f"{self.array}{index}{transposed}{third}"


def taken(pick: Pick, array: Array, *, below: bool = False) -> Array:
    """Return the matrix that is taken out of an array.

    Parameters
    ----------
    pick : Pick
        What is taken.
    array : ndarray of 1 to 5 dimensions
        The array, of which nothing else is read.
    below : bool
        Whether heads are joined one below the other, as W_O has them.

    Returns
    -------
    ndarray, shape (rows, columns)
        A view where that is possible; a vector becomes a row.

    Raises
    ------
    ValueError
        If there is no such part of the array.
    """
    index = pick.index or (None,) * array.ndim
    _check_index(index, array.shape, pick)
    chosen = array[tuple(p if isinstance(p, int) else slice(None) for p in index)]
    left = [place for place in index if not isinstance(place, int)]
    heads = left.index(HEADS) if HEADS in left else None
    # (heads, rows, columns), (heads, columns) for a bias
    joined = chosen[np.newaxis] if heads is None else np.moveaxis(chosen, heads, 0)
    if joined.ndim == 2:
        joined = joined[:, np.newaxis]
    if pick.transposed:
        joined = joined.swapaxes(1, 2)
    count, rows, columns = joined.shape
    if below:
        matrix = joined.reshape(count * rows, columns)
    else:
        matrix = joined.swapaxes(0, 1).reshape(rows, count * columns)
    if pick.third is None:
        return matrix
    width, rest = divmod(matrix.shape[1], THIRDS)
    if rest:
        raise ValueError(
            f"Its {matrix.shape[1]:,} columns cannot be divided into thirds."
        )
    return matrix[:, pick.third * width : (pick.third + 1) * width]


def shape_of(pick: Pick, shape: Shape, *, below: bool = False) -> tuple[int, int]:
    """Return the shape of what `taken` takes out of an array of a shape.

    Raises
    ------
    ValueError
        If there is no such part of it.
    """
    nothing = np.broadcast_to(np.float64(0), shape)  # which takes no memory
    rows, columns = taken(pick, nothing, below=below).shape
    return rows, columns


def parse_pick(text: str, names: Collection[str]) -> Pick:
    """Read a pick as it is written: ``name``, ``name[3]``, ``name.T``, ``name:1/3``.

    Parameters
    ----------
    text : str
        An array's name; in brackets what is done with its axes, an index, ``heads`` or
        ``:``, those that are left out at the end being kept; ``.T`` for transposed;
        ``:2/3`` for the second third of the columns.
    names : collection of str
        The arrays that there are. Of a name that ends like a mark, nothing is cut.

    Raises
    ------
    ValueError
        If it names no array, or what is behind the name cannot be read.
    """
    if text in names:
        return Pick(text)
    # From the longest name on, as one may have brackets in it.
    starts = (name for name in names if text.startswith(name))
    for name in sorted(starts, key=len, reverse=True):
        match = _MARKS.fullmatch(text.removeprefix(name))
        if match is not None and not match[1]:
            index = () if match[2] is None else _index(match[2])
            third = None if match[4] is None else int(match[4]) - 1
            return Pick(name, index, match[3] is not None, third)
    known = ", ".join(names)
    raise ValueError(f"There is no array '{text}'. There are: {known}.")


def _index(text: str) -> tuple[Place, ...]:
    return tuple(_place(part.strip()) for part in text.split(","))


def _place(text: str) -> Place:
    if text == ":":
        return None
    if text == HEADS:
        return HEADS
    if _INDEX.fullmatch(text):
        return int(text)
    raise ValueError(
        f"An index must be a number, {HEADS} or a colon. Got '{text}' instead."
    )


def whole_index(index: tuple[Place, ...], ndim: int) -> tuple[Place, ...]:
    """Return an index with those axes as kept that are left out at its end."""
    return index + (None,) * (ndim - len(index))


def _check_index(index: tuple[Place, ...], shape: Shape, pick: Pick) -> None:
    kept = index.count(None)
    if len(index) != len(shape) or not 1 <= kept <= 2 or index.count(HEADS) > 1:
        raise ValueError(
            f"'{pick.array}' has the shape {shape}. Two of its axes must be kept as "
            "rows and columns, and an index be picked, or heads be joined, of the "
            "others."
        )
    for place, size in zip(index, shape, strict=True):
        if isinstance(place, int) and not 0 <= place < size:
            raise ValueError(
                f"The index must be from 0 to {size - 1:,}. Got {place:,} instead."
            )


def index_forms(ndim: int, *, vector: bool) -> list[tuple[Place, ...]]:
    """Return what can be done with the axes of an array, with 0 for those picked.

    Parameters
    ----------
    ndim : int
        Its number of axes.
    vector : bool
        Whether a single axis may be kept, as of a bias.
    """
    if ndim == 1:
        return [(None,)]
    kept = (1, 2) if vector else (2,)
    forms = (form for form in product((None, 0, HEADS), repeat=ndim))
    return [f for f in forms if f.count(None) in kept and f.count(HEADS) <= 1]
