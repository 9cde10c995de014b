"""The text of a cell and its number."""

import math
import re

from attnviewer.document.text.expression import PLAIN, evaluate, literal, shortened

# The pattern never backtracks over digits: a long wrong text is refused at once.
_COMMA_DECIMAL = re.compile(
    r"(?<![0-9.,])([0-9]*),([0-9]+(?:[eE][+-]?[0-9]+)?)(?![0-9.,])"
)
NO_NUMBERS = {"nan", "inf", "infinity", "∞"}
"""Words for non-finite numbers, without their sign."""
_LONGEST_HINT = 500


def parse_number(text: str, *, infinite: bool = False) -> float:
    """Parse a number as it is typed into a cell.

    A point separates decimals, whatever the locale; digits are not grouped. A
    typographic minus sign is accepted. Arithmetic is evaluated, also after the equals
    sign of spreadsheets; see `evaluate`.

    Parameters
    ----------
    text : str
        The typed text.
    infinite : bool
        Whether −inf is allowed.

    Returns
    -------
    float
        The number, finite or (if allowed) −inf.

    Raises
    ------
    ValueError
        With a sentence on what to type instead.
    """
    typed = text.strip().removeprefix("=").lstrip().replace("−", "-")
    if not typed:
        raise ValueError("Type a number, such as 0.5 or 1e-3.")
    if PLAIN.fullmatch(typed):
        return literal(typed)
    if typed.lower().lstrip("+-") in NO_NUMBERS:
        return _infinity(typed, infinite)
    if "," in typed:
        raise _comma(typed)
    if typed.endswith("%") and PLAIN.fullmatch(typed[:-1].rstrip()):
        part = shortened(typed[:-1].rstrip())
        raise ValueError(f"Write a percentage as a fraction: {part}/100")
    return evaluate(typed)


def exact_text(number: float) -> str:
    """Return the shortest text that reads back as the same number.

    Whole numbers lose their ".0" as long as they have at most 15 digits.
    """
    if number.is_integer() and abs(number) < 1e15 and not _is_negative_zero(number):
        return str(int(number))
    return repr(number)


def _infinity(typed: str, allowed: bool) -> float:
    if not allowed:
        raise ValueError(f"The number must be finite. Got {typed} instead.")
    if typed.lower() not in {"-inf", "-infinity", "-∞"}:
        raise ValueError(
            f"The number must be finite or −inf, which hides a key. "
            f"Got {typed} instead."
        )
    return -math.inf


def _comma(typed: str) -> ValueError:
    """Return the error for a text with commas, with a hint if they are decimal."""
    hint = typed
    if len(typed) <= _LONGEST_HINT:
        hint = _COMMA_DECIMAL.sub(_with_point, typed)
    if "," in hint:
        return ValueError(f"“{shortened(typed)}” is not a number.")
    if not PLAIN.fullmatch(hint):
        try:
            evaluate(hint)
        except ValueError as error:
            # The reason quotes the typed text, not the corrected one.
            reason = str(error).replace(shortened(hint), shortened(typed), 1)
            return ValueError(reason)
    return ValueError(f"Write decimals with a point: {hint}")


def _with_point(decimal: re.Match[str]) -> str:
    return f"{decimal[1] or '0'}.{decimal[2]}"


def _is_negative_zero(number: float) -> bool:
    return number == 0 and math.copysign(1.0, number) < 0
