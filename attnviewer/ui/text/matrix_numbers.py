"""The numbers of a matrix in one format: the same decimals, one common factor."""

import math

import numpy as np

from attnviewer.compute import Array
from attnviewer.ui.text.numbers import format_number, with_exponent

BELOW_UNIT = "·"
"""Stands for numbers that would be rounded to zero; a true zero is written as one."""
LEAST, MOST = 1e-3, 1e6
"""From where on the largest number has its own digits, and to where."""
_SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


def common_exponent(values: Array) -> int:
    """Return the power of ten that a matrix is written in, a multiple of 3.

    0 unless the largest number is tiny or huge.
    """
    finite = np.isfinite(values)
    largest = float(values.max(initial=0.0, where=finite))
    smallest = float(values.min(initial=0.0, where=finite))
    reach = max(largest, -smallest)
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
    return f"× 10{str(exponent).translate(_SUPERSCRIPTS)}"


def cell_number(value: float, decimals: int) -> str:
    """Write a number like all of its matrix; `BELOW_UNIT` if it rounds to zero."""
    if 0 < abs(value) <= 0.5 * 10.0**-decimals:
        return BELOW_UNIT
    # Adding 0.0 turns −0.0 into 0.0.
    return format_number(value + 0.0, decimals)


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
