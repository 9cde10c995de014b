"""How numbers are written where they are shown, not edited."""

import math

import numpy as np

from attnviewer.compute import Array
from attnviewer.document import MINUS, format_number, respelled, with_exponent

__all__ = [
    "MINUS",
    "decimals_for",
    "fit_number",
    "fitted_number",
    "format_number",
    "full_number",
    "number_or_dash",
    "rounded_or_dash",
    "signed_number",
    "significant_number",
    "with_exponent",
]


def fitted_number(value: float, decimals: int, characters: int) -> str:
    """Write a number as `format_number` does, but no longer than its place.

    Parameters
    ----------
    value : float
        The number.
    decimals : int
        Digits after the point, if there is room for them.
    characters : int
        The room; 7 is enough for every number.
    """
    return fit_number(format_number(value, decimals), value, characters)


def fit_number(text: str, value: float, characters: int, digits: int = 2) -> str:
    """Return how a number is written, or another way that is no longer than its place.

    A number that lost its end would read as another one, so one that is too long
    gets an exponent and fewer digits instead.

    Parameters
    ----------
    text : str
        The number as it is written where there is room.
    value : float
        The number.
    characters : int
        The room; 7 is enough for every number.
    digits : int
        Decimals before the exponent, if there is room for them.
    """
    for fewer in range(digits, -1, -1):
        if len(text) <= characters:
            break
        text = with_exponent(value, fewer)
    return text


def significant_number(value: float, digits: int) -> str:
    """Write a number with at most so many digits that count: ``8.083``, ``1e−5``."""
    return respelled(f"{value:.{digits}g}")


def signed_number(value: float, decimals: int) -> str:
    """Write a number as `format_number` does, with its sign, be it a plus."""
    text = format_number(value, decimals)
    return f"+{text}" if value > 0 else text


def number_or_dash(value: float, decimals: int) -> str:
    """Write a number as `format_number` does, and a dash where there is none."""
    return "—" if math.isnan(value) else format_number(value, decimals)


def rounded_or_dash(value: float, decimals: int) -> str:
    """Write a number likewise, and one that is too small for the decimals as 0.

    An exponent would have no room there, and nobody compares numbers so small.
    """
    return number_or_dash(round(value, decimals) + 0.0, decimals)  # no −0


def decimals_for(values: Array, most: int) -> int:
    """Choose the decimals of a matrix: as few as write all its numbers in full.

    Parameters
    ----------
    values : ndarray
        The numbers; NaN and ±inf do not count.
    most : int
        How many decimals there is room for, and what is returned where the numbers
        have more.
    """
    finite = values[np.isfinite(values)]
    # Rounding overflows near the end of the range; such numbers are whole anyway.
    with np.errstate(over="ignore"):
        enough = (d for d in range(most) if np.array_equal(finite.round(d), finite))
        return next(enough, most)


def full_number(value: float) -> str:
    """Write a number so that it reads back as the same, for status and tool tips."""
    if not math.isfinite(value):
        return format_number(value, 0)
    return respelled(repr(float(value)))
