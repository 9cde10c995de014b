"""Numbers in cells: one format for the whole matrix, and as large as fits."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from attnviewer.compute import Array, BoolArray
from attnviewer.ui.text.matrix_numbers import all_below_unit, picture_number
from attnviewer.ui.text.numbers import decimals_for
from attnviewer.ui.views.step.how.measures import CLOSE, CLOSEST, SHARE, Measures

Texts = tuple[tuple[str, ...], ...]

MOST_DECIMALS = 4
SMALLER = 0.75
"""The share that numbers of a large text size shrink to, rather than be left out."""
WHOLE = 4.0
"""In a matrix with numbers from this size on, decimals are left out before all are."""
_PLAIN = 1e6
"""Numbers from this size on are written with an exponent."""
_TINY = 1e-4
"""A matrix without larger numbers is written with exponents."""
_LEADING = re.compile(r"^(\D?)0(?=\.)")
"""A zero before the point."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """The numbers of a matrix as large as they fit.

    Parameters
    ----------
    texts : tuple of tuple of str
        The texts.
    size : float
        The height of their font, in pixels.
    decimals : int
        Their decimals.
    """

    texts: Texts = ()
    size: float = 0.0
    decimals: int = 0


def fitted_numbers(
    values: Array, hidden: BoolArray | None, cell: float, measures: Measures
) -> "Fitted":
    """Return the numbers of a matrix as they are written in its cells.

    Parameters
    ----------
    values : ndarray, shape (rows, columns)
        The numbers.
    hidden : ndarray of bool, shape (rows, columns), or None
        Masked cells; they have no text.
    cell : float
        The side of a cell, in pixels.
    measures : Measures
        Sizes of fonts.

    Returns
    -------
    Fitted
        The texts, none if they would be too small.
    """
    if not values.size:
        return Fitted()
    numbers = _Numbers(values, hidden)
    for smaller, closest in ((1.0, CLOSE), (1.0, CLOSEST), (SMALLER, CLOSEST)):
        fitted = _fitted(numbers, cell, measures, smaller, closest)
        if fitted.size:
            return fitted
    # Next to larger numbers, tenths tell little.
    if not WHOLE <= numbers.largest < _PLAIN:
        return Fitted()
    size = measures.number_size(numbers.longest(0), cell, SMALLER)
    return Fitted(numbers.texts(0), size) if size else Fitted()


def _fitted(
    numbers: "_Numbers",
    cell: float,
    measures: Measures,
    smaller: float,
    closest: float,
) -> "Fitted":
    """Return the numbers of a matrix, in letters that may be so much smaller."""
    enough, largest, best = numbers.enough, [numbers.largest], (0.0, 0)
    for decimals in range(enough, min(enough, 1) - 1, -1):
        if numbers.plain and all_below_unit(largest, decimals):
            break
        longest = numbers.longest(decimals)
        size = measures.number_size(longest, cell, smaller, closest)
        if size > best[0]:
            best = size, decimals
        if size >= 0.7 * SHARE * cell:
            break
        if decimals == 2 and not best[0]:
            # Two decimals tell more in the room of one.
            longest = numbers.longest(decimals, zeros=False)
            size = measures.number_size(longest, cell, smaller, closest)
            if size:
                return Fitted(numbers.texts(decimals, zeros=False), size, decimals)
    size, decimals = best
    return Fitted(numbers.texts(decimals), size, decimals) if size else Fitted()


class _Numbers:
    """The numbers of a matrix as they can be written.

    Parameters
    ----------
    values : ndarray, shape (rows, columns)
        The numbers.
    hidden : ndarray of bool, shape (rows, columns), or None
        Masked cells, which are empty.
    """

    def __init__(self, values: Array, hidden: BoolArray | None) -> None:
        self._values, self._hidden = values, hidden
        self.largest = _largest(values)
        self.plain = _is_plain(self.largest)

    @cached_property
    def enough(self) -> int:
        """The most decimals that they need."""
        return decimals_for(self._values, MOST_DECIMALS)

    @cached_property
    def _longest(self) -> list[float]:
        """Numbers of which one has the longest text, with any decimals."""
        seen = self._values if self._hidden is None else self._values[~self._hidden]
        finite = np.isfinite(seen)
        if not self.plain or not finite.all():
            every: list[float] = seen.ravel().tolist()
            return every
        return [float(seen.min()), float(seen.max())] if seen.size else []

    def longest(self, decimals: int, *, zeros: bool = True) -> int:
        """Return the most characters that one of them has with some decimals."""
        return max(map(len, self._written(self._longest, decimals, zeros)), default=0)

    def texts(self, decimals: int, *, zeros: bool = True) -> Texts:
        """Return the texts, with or without zeros before points.

        Without, ``.96`` for ``0.96`` in a matrix of such numbers.
        """
        rows = [self._written(row, decimals, zeros) for row in self._values.tolist()]
        if self._hidden is None:
            return tuple(map(tuple, rows))
        return tuple(
            tuple("" if masked else text for text, masked in zip(*row, strict=True))
            for row in zip(rows, self._hidden.tolist(), strict=True)
        )

    def _written(
        self, numbers: Sequence[float], decimals: int, zeros: bool
    ) -> list[str]:
        texts = [picture_number(v, decimals, plain=self.plain) for v in numbers]
        return texts if zeros else [_LEADING.sub(r"\1", text) for text in texts]


def without_exponents(values: Array) -> bool:
    """Return whether none of some numbers is written with an exponent.

    So are all of them if the largest one is tiny or huge.
    """
    return _is_plain(_largest(values))


def _is_plain(largest: float) -> bool:
    return largest == 0 or _TINY < largest < _PLAIN


def _largest(values: Array) -> float:
    """Return the size of the largest finite number; 0 if there is none."""
    finite = np.abs(values[np.isfinite(values)])
    return float(finite.max(initial=0.0))
