"""Numbers in cells: one format for the whole matrix, and as large as fits."""

import re
from dataclasses import dataclass

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
    for smaller, closest in ((1.0, CLOSE), (1.0, CLOSEST), (SMALLER, CLOSEST)):
        fitted = _fitted(values, hidden, cell, measures, smaller, closest)
        if fitted.size:
            return fitted
    # Next to larger numbers, tenths tell little.
    if not WHOLE <= _largest(values) < _PLAIN:
        return Fitted()
    texts = number_texts(values, hidden, 0)
    size = measures.number_size(texts, cell, SMALLER)
    return Fitted(texts, size) if size else Fitted()


def _fitted(
    values: Array,
    hidden: BoolArray | None,
    cell: float,
    measures: Measures,
    smaller: float,
    closest: float,
) -> "Fitted":
    """Return the numbers of a matrix, in letters that may be so much smaller."""
    enough = decimals_for(values, MOST_DECIMALS)
    largest = _largest(values)
    best = Fitted()
    for decimals in range(enough, min(enough, 1) - 1, -1):
        if without_exponents(values) and all_below_unit([largest], decimals):
            break
        texts = number_texts(values, hidden, decimals)
        size = measures.number_size(texts, cell, smaller, closest)
        if size > best.size:
            best = Fitted(texts, size, decimals)
        if size >= 0.7 * SHARE * cell:
            break
        if decimals == 2 and not best.size:
            # Two decimals tell more in the room of one.
            texts = _without_zeros(texts)
            size = measures.number_size(texts, cell, smaller, closest)
            if size:
                return Fitted(texts, size, decimals)
    return best


def _without_zeros(texts: Texts) -> Texts:
    """Write ``.96`` for ``0.96`` in a matrix of such numbers."""
    leading = re.compile(r"^(\D?)0(?=\.)")
    return tuple(tuple(leading.sub(r"\1", text) for text in row) for row in texts)


def number_texts(values: Array, hidden: BoolArray | None, decimals: int) -> Texts:
    """Return numbers with some decimals; masked ones are empty.

    Parameters
    ----------
    values : ndarray, shape (rows, columns)
        The numbers.
    hidden : ndarray of bool, shape (rows, columns), or None
        Masked cells.
    decimals : int
        How many.
    """
    plain = without_exponents(values)
    rows = [
        [picture_number(v, decimals, plain=plain) for v in r] for r in values.tolist()
    ]
    if hidden is None:
        return tuple(map(tuple, rows))
    return tuple(
        tuple("" if masked else text for text, masked in zip(row, covered, strict=True))
        for row, covered in zip(rows, hidden.tolist(), strict=True)
    )


def without_exponents(values: Array) -> bool:
    """Return whether none of some numbers is written with an exponent.

    So are all of them if the largest one is tiny or huge.
    """
    largest = _largest(values)
    return largest == 0 or _TINY < largest < _PLAIN


def _largest(values: Array) -> float:
    """Return the size of the largest finite number; 0 if there is none."""
    finite = np.abs(values[np.isfinite(values)])
    return float(finite.max(initial=0.0))
