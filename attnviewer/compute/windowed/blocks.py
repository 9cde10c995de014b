"""Extremes and means of the blocks of a pooled matrix."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from attnviewer.compute.arrays import Array, BoolArray, IndexArray, Selection
from attnviewer.compute.pooling import pool

if TYPE_CHECKING:
    from collections.abc import Sequence

Block = tuple[int, int]
"""Rows and columns of a block."""
Flags = NDArray[np.uint8]

SEEN, NAN, UP, DOWN, HIDDEN = 1, 2, 4, 8, 16
"""Flags: a block has a visible cell; a visible NaN, +∞ or −∞; a hidden cell."""


@dataclass(frozen=True, slots=True, eq=False)
class Extremes:
    """The lowest and the highest number of each block, and flags for other contents.

    Parameters
    ----------
    lows, highs : ndarray, shape (rows, columns)
        Of the finite visible numbers; +∞ and −∞ where there is none.
    flags : ndarray of uint8, shape (rows, columns)
        `SEEN`, `NAN`, `UP`, `DOWN` and `HIDDEN`, or-ed.
    """

    lows: Array
    highs: Array
    flags: Flags

    @classmethod
    def empty(
        cls, shape: tuple[int, int], dtype: "np.dtype[np.floating]"
    ) -> "Extremes":
        """Allocate memory for so many blocks."""
        return cls(
            np.empty(shape, dtype), np.empty(shape, dtype), np.empty(shape, np.uint8)
        )

    @classmethod
    def of(cls, values: Array, hidden: BoolArray | None, block: Block) -> "Extremes":
        """Pool the numbers of some whole blocks; the last ones may be incomplete.

        Parameters
        ----------
        values : ndarray, shape (n, m)
            The numbers.
        hidden : ndarray of bool, shape (n, m), or None
            Cells that do not count.
        block : tuple of two int
            Size of a block.
        """
        if hidden is None or not hidden.any():
            lows = pool(values, block, np.minimum)  # (rows, columns)
            highs = pool(values, block, np.maximum)  # (rows, columns)
            # Numbers that are not finite show up in one of them.
            if np.isfinite(lows).all() and np.isfinite(highs).all():
                return cls(lows, highs, np.full(lows.shape, SEEN, np.uint8))
        skipped = ~np.isfinite(values)  # (n, m)
        if hidden is not None:
            skipped |= hidden
        return cls(
            pool(np.where(skipped, np.inf, values), block, np.minimum),
            pool(np.where(skipped, -np.inf, values), block, np.maximum),
            _flags(values, hidden, skipped, block),
        )

    def pooled(self, block: Block) -> "Extremes":
        """Return the extremes of blocks of blocks."""
        if block == (1, 1):
            return self
        return Extremes(
            pool(self.lows, block, np.minimum),
            pool(self.highs, block, np.maximum),
            pool(self.flags, block, np.bitwise_or),
        )

    @classmethod
    def joined(cls, parts: "Sequence[Extremes]") -> "Extremes":
        """Return the extremes of blocks that lie below each other."""
        return cls(
            np.concatenate([part.lows for part in parts]),
            np.concatenate([part.highs for part in parts]),
            np.concatenate([part.flags for part in parts]),
        )

    def of_part(self, rows: slice, columns: slice) -> "Extremes":
        """Return the part of some of the blocks."""
        here = rows, columns
        return Extremes(self.lows[here], self.highs[here], self.flags[here])

    def write(self, rows: Selection, columns: slice, part: "Extremes") -> None:
        """Replace the part of some of the blocks."""
        self.lows[rows, columns] = part.lows
        self.highs[rows, columns] = part.highs
        self.flags[rows, columns] = part.flags

    def hide(self, rows: Selection, columns: slice) -> None:
        """Have all cells of some of the blocks hidden."""
        self.lows[rows, columns] = np.inf
        self.highs[rows, columns] = -np.inf
        self.flags[rows, columns] = HIDDEN

    def copy_rows(self, source: IndexArray, target: IndexArray) -> None:
        """Replace some rows of blocks by others."""
        for array in (self.lows, self.highs, self.flags):
            array[target] = array[source]

    def furthest(self) -> Array:
        """Return each block's number furthest from zero, shape (rows, columns).

        NaN wins over every number, then +∞; −∞ loses against every number.
        """
        # A block without a finite number has the low +∞ and the high −∞: it gets −∞.
        if self.lows.min() >= 0:
            values = self.highs.copy()  # (rows, columns)
        else:
            values = np.where(-self.lows > self.highs, self.lows, self.highs)
        if (self.flags & (NAN | UP)).any():
            values[self.flags & UP != 0] = np.inf
            values[self.flags & NAN != 0] = np.nan
        return values

    def limits(self) -> tuple[float, float] | None:
        """Return the lowest and the highest of all; None if there is none."""
        low, high = float(self.lows.min()), float(self.highs.max())
        return None if low > high else (low, high)

    @property
    def has_hidden(self) -> bool:
        """Whether any cell is hidden."""
        return bool((self.flags & HIDDEN).any())

    def hidden(self) -> BoolArray | None:
        """Return the blocks of which all cells are hidden; None if there is none."""
        hidden: BoolArray = self.flags & SEEN == 0  # (rows, columns)
        return hidden if hidden.any() else None


def _flags(
    values: Array, hidden: BoolArray | None, skipped: BoolArray, block: Block
) -> Flags:
    if hidden is not None and np.array_equal(hidden, skipped):
        # The usual case, and faster.
        seen = pool(~hidden, block, np.logical_or)  # (rows, columns)
        away = pool(hidden, block, np.logical_or)  # (rows, columns)
        return seen * np.uint8(SEEN) | away * np.uint8(HIDDEN)
    flags = np.full(values.shape, SEEN, np.uint8)  # (n, m)
    flags[np.isnan(values)] |= NAN
    flags[np.isposinf(values)] |= UP
    flags[np.isneginf(values)] |= DOWN
    if hidden is not None:
        flags[hidden] = HIDDEN
    return pool(flags, block, np.bitwise_or)


@dataclass(frozen=True, slots=True, eq=False)
class Means:
    """The sums and shares from which the mean of each block is computed.

    Parameters
    ----------
    sums : ndarray, shape (rows, columns)
        Of the finite visible numbers, divided by the number of cells of a block because
        the sum might overflow.
    shares : ndarray, shape (rows, columns)
        The share of these cells.
    """

    sums: Array
    shares: Array

    @classmethod
    def empty(cls, shape: tuple[int, int], dtype: "np.dtype[np.floating]") -> "Means":
        """Allocate memory for so many blocks."""
        return cls(np.empty(shape, dtype), np.empty(shape, dtype))

    @classmethod
    def of(cls, values: Array, hidden: BoolArray | None, block: Block) -> "Means":
        """Pool the numbers of some whole blocks, as `Extremes.of` does."""
        if hidden is None or not hidden.any():
            sums = _sums(values, block)  # (rows, columns)
            # Numbers that are not finite show up in the sum.
            if np.isfinite(sums).all():
                down, across = map(_filled, values.shape, block)  # (rows,), (columns,)
                return cls(sums, np.multiply.outer(down, across))
        counted = np.isfinite(values)  # (n, m)
        if hidden is not None:
            counted &= ~hidden
        numbers = np.where(counted, values, values.dtype.type(0))  # (n, m)
        return cls(_sums(numbers, block), _sums(counted, block))

    def pooled(self, block: Block) -> "Means":
        """Return the means of blocks of blocks."""
        return Means(_sums(self.sums, block), _sums(self.shares, block))

    @classmethod
    def joined(cls, parts: "Sequence[Means]") -> "Means":
        """Return the means of blocks that lie below each other."""
        return cls(
            np.concatenate([part.sums for part in parts]),
            np.concatenate([part.shares for part in parts]),
        )

    def of_part(self, rows: slice, columns: slice) -> "Means":
        """Return the part of some of the blocks."""
        return Means(self.sums[rows, columns], self.shares[rows, columns])

    def write(self, rows: slice, columns: slice, part: "Means") -> None:
        """Replace the part of some of the blocks."""
        self.sums[rows, columns] = part.sums
        self.shares[rows, columns] = part.shares

    def values(self, flags: Flags) -> Array:
        """Return the means, shape (rows, columns), as from a plain sum.

        NaN where a cell is NaN or infinities cancel, else ±∞ where a cell is infinite;
        −∞ where all cells are hidden.
        """
        values = np.full(self.sums.shape, -np.inf)  # (rows, columns)
        np.divide(self.sums, self.shares, out=values, where=self.shares > 0)
        up, down = flags & UP != 0, flags & DOWN != 0
        values[down] = -np.inf
        values[up] = np.inf
        values[(up & down) | (flags & NAN != 0)] = np.nan
        return values


def _sums(values: Array, block: Block) -> Array:
    """Return the sum of each block in double precision, divided by its cells."""
    cells = block[0] * block[1]
    with np.errstate(all="ignore"):
        # Numbers of a smaller type cannot overflow.
        if values.dtype == np.float64:
            return pool(values / cells, block, np.add)
        sums: Array = pool(values, block, np.add, np.float64) / cells
    return sums


def _filled(count: int, size: int) -> Array:
    """Return the share of each block's rows or columns inside the matrix, (blocks,)."""
    return np.minimum(1.0, (count - np.arange(0, count, size)) / size)
