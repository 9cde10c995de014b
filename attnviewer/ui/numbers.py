"""How numbers are written where they are shown, not edited."""

import math

import numpy as np

from attnviewer.compute import Array

MINUS = "−"


def format_number(value: float, decimals: int) -> str:
    """Write a number with a fixed number of decimals, for people.

    Numbers too large or too small for that are written with an exponent, so that
    only a true zero looks like zero.

    Parameters
    ----------
    value : float
        The number; NaN and ±inf are written as such.
    decimals : int
        Digits after the point.

    Returns
    -------
    str
        Such as ``0.7491``, ``−2.00``, ``7.40e−9``, ``∞``, ``NaN``.
    """
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "∞" if value > 0 else f"{MINUS}∞"
    magnitude = abs(value)
    if magnitude >= 1e6 or 0 < magnitude <= 0.5 * 10.0**-decimals:
        return with_exponent(value, min(decimals, 2))
    # Adding 0.0 turns −0.0 into 0.0: a sign on nothing only puzzles.
    return f"{value + 0.0:.{decimals}f}".replace("-", MINUS)


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


def with_exponent(value: float, decimals: int) -> str:
    """Write a number with an exponent: ``−1.5e−9`` with one decimal."""
    return _respelled(f"{value:.{decimals}e}")


def significant_number(value: float, digits: int) -> str:
    """Write a number with at most so many digits that count: ``8.083``, ``1e−5``."""
    return _respelled(f"{value:.{digits}g}")


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
    return _respelled(repr(float(value)))


def _respelled(text: str) -> str:
    """Spell a number that Python wrote as all numbers here: ``1e-09`` is ``1e−9``."""
    mantissa, _, exponent = text.partition("e")
    text = f"{mantissa}e{int(exponent)}" if exponent else mantissa
    return text.replace("-", MINUS)
