"""Fills of cells: the values that each fill gives a block, and the edit."""

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
        """Return the new values of a block."""
        return np.full(block.shape, self.value)


@dataclass(frozen=True, slots=True)
class Identity:
    """Ones where row and column of the block are equal, else zeros."""

    def of(self, block: Array) -> Array:
        """Return the new values of a block."""
        return np.eye(*block.shape)


@dataclass(frozen=True, slots=True)
class OneHot:
    """A single one in each row of the block, one column further each time, wrapping."""

    def of(self, block: Array) -> Array:
        """Return the new values of a block."""
        rows = np.arange(len(block))
        made = np.zeros(block.shape)
        made[rows, rows % block.shape[1]] = 1.0
        return made


@dataclass(frozen=True, slots=True)
class Negate:
    """Every number negated; every cell of a mask inverted."""

    def of(self, block: Array) -> Array:
        """Return the new values of a block."""
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
        """Return the new values of a block.

        Raises
        ------
        EditError
            If a number overflows.
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
        """Return the new values of a block."""
        # Larger floats are further apart than such decimals: they are rounded already.
        small = np.abs(block) < 2.0**53 / 10.0**self.decimals
        return np.where(small, np.where(small, block, 0.0).round(self.decimals), block)


@dataclass(frozen=True, slots=True)
class Transpose:
    """Rows become columns, within a square block."""

    def of(self, block: Array) -> Array:
        """Return the new values of a block.

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
"""Fills that do not depend on the present values."""


def fill_edit(
    document: Document, matrix: str, block: Region, fill: Fill, label: str
) -> SetCells | None:
    """Return the edit that fills a block of a matrix.

    Zeros never get a sign: the negative of 0 is 0, and so is a number rounded to 0. A
    −∞ in the bias hides a key: it stays when numbers are negated, scaled or rounded.
    Recipes without remaining draws are dropped.

    Parameters
    ----------
    document : Document
        The document to edit.
    matrix : str
        The matrix.
    block : Region
        The cells to fill.
    fill : Fill
        The fill.
    label : str
        The edit's name in the undo history.

    Returns
    -------
    SetCells or None
        None if it would change nothing.

    Raises
    ------
    EditError
        If the cells cannot be filled so, with the reason.
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
    # A fill of drawn numbers keeps their recipe as their origin.
    recipes = forgetting if isinstance(fill, _ANEW) else known
    values = np.array(values, order="C")
    if recipes == known and same_bits(values, present):
        return None
    remembered = None if known == forgetting else recipes
    return SetCells(label, matrix, block.row, block.column, values, remembered)


def suits_mask(fill: Fill) -> bool:
    """Return whether a fill keeps a mask boolean."""
    return fill in _FOR_MASKS


def _of_mask(present: Array, fill: Fill) -> Array:
    if not suits_mask(fill):
        raise EditError(
            "The 'mask' must be filled with zeros, ones, the identity or one-hot rows, "
            "negated or transposed: it holds True and False."
        )
    return fill.of(present).astype(np.bool_)
