"""Numbers as text for display, in formulas, figures and tables."""

import math

MINUS = "−"
PLAIN_LIMIT = 1e6
"""Integers below it are written in full."""
_UNITS = "bytes", "KiB", "MiB", "GiB", "TiB"


def format_number(value: float, decimals: int) -> str:
    """Write a number with a fixed number of decimals, for display.

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
    magnitude = abs(value)
    if magnitude == 0 or 0.5 * 10.0**-decimals < magnitude < 1e6:  # nearly always
        # Adding 0.0 turns −0.0 into 0.0.
        return f"{value + 0.0:.{decimals}f}".replace("-", MINUS)
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "∞" if value > 0 else f"{MINUS}∞"
    return with_exponent(value, min(decimals, 2))


def with_exponent(value: float, decimals: int) -> str:
    """Write a number with an exponent: ``−1.5e−9`` with one decimal."""
    return respelled(f"{value:.{decimals}e}")


def respelled(text: str) -> str:
    """Spell a number that Python wrote as all numbers here: ``1e-09`` is ``1e−9``."""
    mantissa, _, exponent = text.partition("e")
    text = f"{mantissa}e{int(exponent)}" if exponent else mantissa
    return text.replace("-", MINUS)


def short_number(value: float) -> str:
    """Write a number as it stands inside a formula: about three significant digits."""
    return rounded(value, 2 if abs(value) >= 1 else 3)


def rounded(value: float, decimals: int) -> str:
    """Write a number with so many decimals, and an integer without."""
    if float(value).is_integer() and abs(value) < PLAIN_LIMIT:
        return format_number(value, 0)
    return format_number(value, decimals)


def bytes_text(count: int) -> str:
    """Write a number of bytes with three digits and its unit: ``1.5 MiB``."""
    size, unit = float(count), 0
    while size >= 1024 and unit < len(_UNITS) - 1:
        size, unit = size / 1024, unit + 1
    number = f"{size:.3g}" if unit else f"{count:,}"
    return f"{number} {_UNITS[unit]}"
