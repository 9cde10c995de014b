"""Formatting of numbers that are shown, not edited."""

import math

import numpy as np

from attnviewer.compute import Array
from attnviewer.compute.number_text import (
    MINUS,
    format_number,
    respelled,
    with_exponent,
)

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
    "superscript",
    "with_exponent",
]

_SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


def fitted_number(value: float, decimals: int, characters: int) -> str:
    """Format a number like `format_number`, but within a width.

    Parameters
    ----------
    value : float
        The number.
    decimals : int
        Digits after the point, if they fit.
    characters : int
        The width; 7 is enough for every number.
    """
    return fit_number(format_number(value, decimals), value, characters)


def fit_number(text: str, value: float, characters: int, digits: int = 2) -> str:
    """Return a number's text if it fits in a width, or a shorter form.

    A truncated number would read as another one, so one that is too long gets an
    exponent and fewer digits instead.

    Parameters
    ----------
    text : str
        The number as written without a limit.
    value : float
        The number.
    characters : int
        The width; 7 is enough for every number.
    digits : int
        Decimals before the exponent, if they fit.
    """
    for fewer in range(digits, -1, -1):
        if len(text) <= characters:
            break
        text = with_exponent(value, fewer)
    return text


def significant_number(value: float, digits: int) -> str:
    """Format a number with at most `digits` significant digits: ``8.083``, ``1e−5``."""
    return respelled(f"{value:.{digits}g}")


def superscript(exponent: int) -> str:
    """Return a whole number as an exponent: ``⁻⁹``."""
    return str(exponent).translate(_SUPERSCRIPTS)


def signed_number(value: float, decimals: int) -> str:
    """Format a number like `format_number`, always with its sign."""
    text = format_number(value, decimals)
    return f"+{text}" if value > 0 else text


def number_or_dash(value: float, decimals: int) -> str:
    """Format a number like `format_number`; a dash if there is none."""
    return "—" if math.isnan(value) else format_number(value, decimals)


def rounded_or_dash(value: float, decimals: int) -> str:
    """Format a number likewise, and one too small for the decimals as 0.

    An exponent would not fit, and nobody compares numbers that small.
    """
    return number_or_dash(round(value, decimals) + 0.0, decimals)  # no −0


def decimals_for(values: Array, most: int) -> int:
    """Choose the decimals of a matrix: the fewest that write all its numbers in full.

    Parameters
    ----------
    values : ndarray
        The numbers; NaN and ±inf are ignored.
    most : int
        The most decimals that fit; returned if the numbers need more.
    """
    finite = values[np.isfinite(values)]
    # Rounding overflows near the largest float; such numbers are integers anyway.
    with np.errstate(over="ignore"):
        enough = (d for d in range(most) if np.array_equal(finite.round(d), finite))
        return next(enough, most)


def full_number(value: float) -> str:
    """Format a number so that it round-trips, for the status bar and tool tips."""
    if not math.isfinite(value):
        return format_number(value, 0)
    return respelled(repr(float(value)))
