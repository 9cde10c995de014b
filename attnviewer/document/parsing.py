"""Between the text in a cell and its number."""

import math
import re

# Each digit can be matched in one way only: a long wrong text is refused at once.
_COMMA_DECIMAL = re.compile(r"([+-]?[0-9]*),([0-9]+(?:[eE][+-]?[0-9]+)?)")
_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")


def parse_number(text: str) -> float:
    """Read a number as a person types it into a cell.

    A point separates decimals, whatever the locale; digits are not grouped. The
    typographic minus sign is read as a minus.

    Parameters
    ----------
    text : str
        What was typed.

    Returns
    -------
    float
        The number, finite.

    Raises
    ------
    ValueError
        With a sentence that tells the person what to type instead.
    """
    typed = text.strip().replace("−", "-")
    if not typed:
        raise ValueError("Type a number, such as 0.5 or 1e-3.")
    if match := _COMMA_DECIMAL.fullmatch(typed):
        hint = f"{match[1] or '0'}.{match[2]}"
        raise ValueError(f"Write decimals with a point: {hint}")
    if typed.lower().lstrip("+-") in {"nan", "inf", "infinity", "∞"}:
        raise ValueError(f"A cell must hold a finite number. Got {typed} instead.")
    if not _NUMBER.fullmatch(typed):
        raise ValueError(f"“{_shortened(typed)}” is not a number.")
    number = float(typed)
    if math.isinf(number):
        raise ValueError(
            f"{_shortened(typed)} is too large: the limit is about 1.8e308."
        )
    if number == 0 and re.search("[1-9]", re.split("[eE]", typed)[0]):
        raise ValueError(f"{_shortened(typed)} is too small: it would become 0.")
    return number


def exact_text(number: float) -> str:
    """Return the shortest text that reads back as the same number.

    Whole numbers lose their ".0" as long as they have at most 15 digits.
    """
    if number.is_integer() and abs(number) < 1e15 and not _is_negative_zero(number):
        return str(int(number))
    return repr(number)


def _is_negative_zero(number: float) -> bool:
    return number == 0 and math.copysign(1.0, number) < 0


def _shortened(text: str) -> str:
    return text if len(text) <= 24 else f"{text[:23]}…"
