"""The numbers of a matrix in one format: the same decimals, one common factor."""

import math
from collections.abc import Collection
from typing import NamedTuple

import numpy as np

from attnviewer.compute import Array, finite_limits
from attnviewer.ui.text.numbers import MINUS, format_number, superscript, with_exponent

BELOW_UNIT = "·"
"""Stands for numbers that would be rounded to zero; a true zero is written as one."""
LEAST, MOST = 1e-3, 1e6
"""From where on the largest number has its own digits, and to where."""
USUAL = 2
"""Decimals of numbers in small cells."""


def common_exponent(values: Array) -> int:
    """Return the power of ten that a matrix is written in, a multiple of 3.

    0 unless the largest number is tiny or huge.
    """
    low, high = finite_limits(values) or (0.0, 0.0)
    return exponent_for(max(high, -low))


def exponent_for(reach: float) -> int:
    """Return the same, given the largest of all finite magnitudes."""
    if reach == 0 or LEAST <= reach < MOST:
        return 0
    return 3 * math.floor(math.log10(reach) / 3)


def without_factor(values: Array, exponent: int) -> Array:
    """Return numbers divided by ten to a power."""
    if not exponent:
        return values
    # In two steps, as the power itself may overflow; rounded, as 2e−9 / 1e−9 is not 2.
    half = exponent // 2
    with np.errstate(all="ignore"):
        divided = values.astype(np.float64) / 10.0**half / 10.0 ** (exponent - half)
        return divided.round(9)


def factor_text(exponent: int) -> str:
    """Write a power of ten: ``× 10⁻⁹``."""
    return f"× 10{superscript(exponent)}"


class CellFormat(NamedTuple):
    """The format of all numbers of a matrix.

    Parameters
    ----------
    decimals : int
        Digits after the point.
    compact : bool
        Whether zeros before the point are left out, as in ``.34``.
    """

    decimals: int
    compact: bool = False


def fitting_format(
    widest: Collection[float], most: int, letters: int, *, plus: bool = False
) -> CellFormat | None:
    """Return the format with which numbers fit into their cells.

    Parameters
    ----------
    widest : collection of float
        The extreme numbers, one of which has the longest text.
    most : int
        Decimals wanted. Rather than to less than `USUAL` of them, numbers are
        shortened by the zeros before their points.
    letters : int
        The most characters of a number.
    plus : bool
        Whether positive numbers have their sign.

    Returns
    -------
    CellFormat or None
        None if not even one decimal fits, or no digit if there are no decimals, or if
        with those that fit all numbers would be rounded to zero.
    """
    if not widest:
        return CellFormat(0) if letters >= 2 else None
    usual = min(most, USUAL)
    formats = [CellFormat(decimals) for decimals in range(most, usual - 1, -1)]
    if most > 0:
        formats.append(CellFormat(usual, compact=True))
        formats += [CellFormat(decimals) for decimals in range(usual - 1, 0, -1)]
    lengths = ((form, longest(widest, form, plus=plus)) for form in formats)
    fitting = next((form for form, length in lengths if length <= letters), None)
    if fitting is None or all_below_unit(widest, fitting.decimals):
        return None
    return fitting


def all_below_unit(values: Collection[float], decimals: int) -> bool:
    """Return whether each of some numbers is rounded to zero, but is none."""
    return all(cell_number(value, decimals) == BELOW_UNIT for value in values)


def longest(values: Collection[float], form: CellFormat, *, plus: bool) -> int:
    """Return the most characters that one of some numbers has."""
    lengths = (
        len(cell_number(value, form.decimals, compact=form.compact))
        + (plus and value > 0)
        for value in values
    )
    return max(lengths, default=0)


def cell_number(value: float, decimals: int, *, compact: bool = False) -> str:
    """Write a number like all of its matrix; `BELOW_UNIT` if it rounds to zero.

    Compact, ``0.34`` is ``.34``, and one is ``1.0``: as many characters.
    """
    if 0 < abs(value) <= 0.5 * 10.0**-decimals:
        return BELOW_UNIT
    # Adding 0.0 turns −0.0 into 0.0.
    text = format_number(value + 0.0, decimals)
    if not compact or not decimals or not abs(value) <= 1:
        return text
    sign = text[0] if text[0] == MINUS else ""
    digits = text[len(sign) :]
    return sign + (digits[1:] if digits.startswith("0.") else digits[:-1].rstrip("."))


def picture_number(value: float, decimals: int, *, plain: bool = True) -> str:
    """Write a number of a picture of an operation.

    Parameters
    ----------
    value : float
        The number. An exact zero has no decimals, so that it stands out.
    decimals : int
        Digits after the point.
    plain : bool
        Whether it has no exponent; those of tiny or huge numbers have one.
    """
    if value == 0:
        return "0"
    if plain or not math.isfinite(value):
        return cell_number(value, decimals)
    return with_exponent(value, 1)
