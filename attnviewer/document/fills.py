"""Filling cells: what each fill makes of a block, and the edit that does it."""

import math
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from attnviewer.compute import Array
from attnviewer.document.document import Document
from attnviewer.document.drawing.recipe import overwritten
from attnviewer.document.edits import EditError, SetCells
from attnviewer.document.matrices import MASK, same_bits
from attnviewer.document.region import Region

MOST_DECIMALS = 15


@dataclass(frozen=True, slots=True)
class Constant:
    """The same number in every cell.

    Parameters
    ----------
    value : float
        The number.
    """

    value: float

    def of(self, block: Array) -> Array:
        """Return what a block becomes."""
        return np.full(block.shape, self.value)


@dataclass(frozen=True, slots=True)
class Identity:
    """Ones where row and column of the block are equal, else zeros."""

    def of(self, block: Array) -> Array:
        """Return what a block becomes."""
        return np.eye(*block.shape)


@dataclass(frozen=True, slots=True)
class OneHot:
    """A single one in each row of the block: one column further in each, over again."""

    def of(self, block: Array) -> Array:
        """Return what a block becomes."""
        rows = np.arange(len(block))
        made = np.zeros(block.shape)
        made[rows, rows % block.shape[1]] = 1.0
        return made


@dataclass(frozen=True, slots=True)
class Negate:
    """Every number with the other sign; True for False in a mask."""

    def of(self, block: Array) -> Array:
        """Return what a block becomes."""
        return -block if block.dtype != np.bool_ else np.logical_not(block)


@dataclass(frozen=True, slots=True)
class Scale:
    """Every number times a factor.

    Parameters
    ----------
    factor : float
        The factor, finite.
    """

    factor: float

    def of(self, block: Array) -> Array:
        """Return what a block becomes.

        Raises
        ------
        EditError
            If a number passed the range of floats.
        """
        with np.errstate(over="ignore", under="ignore"):
            made = block * self.factor
        if not np.isfinite(made).all():
            raise EditError(
                "The 'factor' must keep every number within about ±1.8e308. "
                f"Got {self.factor:g} instead."
            )
        return made


@dataclass(frozen=True, slots=True)
class Round:
    """Every number rounded, halves to the even digit, as NumPy rounds.

    Parameters
    ----------
    decimals : int
        Digits after the point, 0 to 15.
    """

    decimals: int

    def __post_init__(self) -> None:
        if type(self.decimals) is not int or not 0 <= self.decimals <= MOST_DECIMALS:
            raise ValueError(
                f"The 'decimals' must be a whole number from 0 to {MOST_DECIMALS}. "
                f"Got {self.decimals} instead."
            )

    def of(self, block: Array) -> Array:
        """Return what a block becomes."""
        # Larger floats lie further apart than such decimals: they are rounded already.
        small = np.abs(block) < 2.0**53 / 10.0**self.decimals
        return np.where(small, np.where(small, block, 0.0).round(self.decimals), block)


@dataclass(frozen=True, slots=True)
class Transpose:
    """Rows become columns, within a square block."""

    def of(self, block: Array) -> Array:
        """Return what a block becomes.

        Raises
        ------
        EditError
            If it is not square.
        """
        rows, columns = block.shape
        if rows != columns:
            raise EditError(
                "The cells must be a square to be transposed. "
                f"Got {rows} × {columns} instead."
            )
        return block.T


Fill: TypeAlias = Constant | Identity | OneHot | Negate | Scale | Round | Transpose
_FOR_MASKS = (
    Constant(0.0),
    Constant(1.0),
    Identity(),
    OneHot(),
    Negate(),
    Transpose(),
)
_ANEW = Constant, Identity, OneHot
"""Fills that ask nothing of what the cells held."""


def fill_edit(
    document: Document, matrix: str, block: Region, fill: Fill, label: str
) -> SetCells | None:
    """Return the edit that fills a block of a matrix.

    Zeros are zeros without a sign afterwards: the negative of 0 is 0, and so is
    what is rounded to nothing. A −∞ of the bias hides a key and is no number: it
    stays when numbers are negated, scaled or rounded. Draws of which nothing
    remains are forgotten.

    Parameters
    ----------
    document : Document
        What is edited.
    matrix : str
        The matrix.
    block : Region
        Its cells.
    fill : Fill
        What they become.
    label : str
        What undo calls it.

    Returns
    -------
    SetCells or None
        None if the cells hold just that already.

    Raises
    ------
    EditError
        With the reason, if they cannot be filled so.
    """
    present = document.matrix(matrix)[block.rows, block.columns]  # (height, width)
    if matrix == MASK:
        values = _of_mask(present, fill)
    elif isinstance(fill, Negate | Scale | Round):
        hidden = np.isneginf(present)
        values = fill.of(np.where(hidden, 0.0, present))
        values = np.where(hidden, -math.inf, values + 0.0)
    else:
        values = fill.of(present)
    known = document.recipes
    forgetting = overwritten(known, matrix, block)
    # What is made of drawn numbers can be told with how they were drawn.
    recipes = forgetting if isinstance(fill, _ANEW) else known
    values = np.array(values, order="C")
    if recipes == known and same_bits(values, present):
        return None
    remembered = None if known == forgetting else recipes
    return SetCells(label, matrix, block.row, block.column, values, remembered)


def suits_mask(fill: Fill) -> bool:
    """Tell whether what a fill makes of True and False is True and False."""
    return fill in _FOR_MASKS


def _of_mask(present: Array, fill: Fill) -> Array:
    if not suits_mask(fill):
        raise EditError(
            "The 'mask' must be filled with zeros, ones, the identity or one-hot rows, "
            "negated or transposed: it holds True and False."
        )
    return fill.of(present).astype(np.bool_)
