"""A matrix picked from an array."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from itertools import product
from typing import Literal, TypeAlias

import numpy as np

from attnviewer.compute import Array

Shape: TypeAlias = tuple[int, ...]
AxisIndex: TypeAlias = int | Literal["heads"] | None
"""For one axis: an index picks, "heads" joins, None keeps it."""

HEADS: Literal["heads"] = "heads"
THIRDS = 3
"""Queries, keys and values in one array, in this order."""
_MARKS = re.compile(r"(.*?)(?:\[([^\[\]]*)\])?(\.T)?(?::([123])/3)?", re.DOTALL)
_INDEX = re.compile(r"-?[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class Pick:
    """A matrix picked from an array.

    Parameters
    ----------
    array : str
        The array's name.
    index : tuple of int, "heads" or None
        For each axis: two of them (of a bias, one) are kept, heads are joined side by
        side, and one index is picked of each other axis. Empty for an array that is
        already a matrix or a vector.
    transposed : bool
        Whether each head is transposed.
    third : int or None
        Which third of the columns, from zero; None for all columns.
    """

    array: str
    index: tuple[AxisIndex, ...] = ()
    transposed: bool = False
    third: int | None = None

    def __str__(self) -> str:
        """Return it as `parse_pick` reads it: ``name[0,heads,:,:].T:2/3``."""
        axes = ",".join(":" if entry is None else str(entry) for entry in self.index)
        index = f"[{axes}]" if self.index else ""
        transposed = ".T" if self.transposed else ""
        third = "" if self.third is None else f":{self.third + 1}/{THIRDS}"
        return f"{self.array}{index}{transposed}{third}"


def taken(pick: Pick, array: Array, *, below: bool = False) -> Array:
    """Return the matrix that is picked from an array.

    Parameters
    ----------
    pick : Pick
        The pick.
    array : ndarray of 1 to 5 dimensions
        The array; nothing else of it is read.
    below : bool
        Whether heads are stacked in rows, as in W_O.

    Returns
    -------
    ndarray, shape (rows, columns)
        A view where possible; a vector becomes a row.

    Raises
    ------
    ValueError
        If there is no such part of the array.
    """
    index = pick.index or (None,) * array.ndim
    _check_index(index, array.shape, pick)
    chosen = array[tuple(p if isinstance(p, int) else slice(None) for p in index)]
    left = [entry for entry in index if not isinstance(entry, int)]
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
    """Return the shape of the matrix that `taken` returns for an array of a shape.

    Raises
    ------
    ValueError
        If there is no such part of it.
    """
    nothing = np.broadcast_to(np.float64(0), shape)  # takes no memory
    rows, columns = taken(pick, nothing, below=below).shape
    return rows, columns


def parse_pick(text: str, names: Collection[str]) -> Pick:
    """Parse a pick: ``name``, ``name[3]``, ``name.T``, ``name:1/3``.

    Parameters
    ----------
    text : str
        An array's name; in brackets an index, ``heads`` or ``:`` for each axis,
        trailing axes being kept; ``.T`` to transpose; ``:2/3`` for the second third of
        the columns.
    names : collection of str
        The names of all arrays, which may themselves end in brackets or ``.T``.

    Raises
    ------
    ValueError
        If it names no array, or the rest cannot be parsed.
    """
    if text in names:
        return Pick(text)
    # Longest names first, as a name may itself have brackets.
    starts = (name for name in names if text.startswith(name))
    for name in sorted(starts, key=len, reverse=True):
        match = _MARKS.fullmatch(text.removeprefix(name))
        if match is not None and not match[1]:
            index = () if match[2] is None else _index(match[2])
            third = None if match[4] is None else int(match[4]) - 1
            return Pick(name, index, match[3] is not None, third)
    known = ", ".join(names)
    raise ValueError(f"There is no array '{text}'. There are: {known}.")


def _index(text: str) -> tuple[AxisIndex, ...]:
    return tuple(_axis_index(part.strip()) for part in text.split(","))


def _axis_index(text: str) -> AxisIndex:
    if text == ":":
        return None
    if text == HEADS:
        return HEADS
    if _INDEX.fullmatch(text):
        return int(text)
    raise ValueError(
        f"An index must be a number, {HEADS} or a colon. Got '{text}' instead."
    )


def whole_index(index: tuple[AxisIndex, ...], ndim: int) -> tuple[AxisIndex, ...]:
    """Return an index with its omitted trailing axes kept."""
    return index + (None,) * (ndim - len(index))


def _check_index(index: tuple[AxisIndex, ...], shape: Shape, pick: Pick) -> None:
    kept = index.count(None)
    if len(index) != len(shape) or not 1 <= kept <= 2 or index.count(HEADS) > 1:
        example = ""
        if len(shape) > 2:
            others = ("0",) * (len(shape) - 3)
            example = f", as in {pick.array}[{','.join((*others, 'heads', ':', ':'))}]"
        raise ValueError(
            f"'{pick.array}' has the shape {shape}. Two of its axes must be kept as "
            "rows and columns, and an index be picked, or heads be joined, of the "
            f"others{example}."
        )
    for entry, size in zip(index, shape, strict=True):
        if isinstance(entry, int) and not 0 <= entry < size:
            raise ValueError(
                f"The index must be from 0 to {size - 1:,}. Got {entry:,} instead."
            )


def index_forms(ndim: int, *, vector: bool) -> list[tuple[AxisIndex, ...]]:
    """Return the possible forms of an index, with 0 for the picked axes.

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
