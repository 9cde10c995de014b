"""Numbers for cells with room for about three characters."""

import math
from collections.abc import Iterable

from attnviewer.ui.text.numbers import MINUS, with_exponent

LARGE = 10_000
"""Numbers from here on have an exponent."""


def cell_texts(values: Iterable[float]) -> list[str]:
    """Write the numbers of a small matrix, all with the same few decimals.

    Integers have no decimals, so that ``0`` is an exact zero and ``.00`` a small
    number: ``1``, ``.24``, ``5.8``, ``−12``, ``3e9``, ``NaN``. ``1.0`` is nearly one.
    """
    numbers = [float(value) for value in values]
    broken = [abs(v) for v in numbers if math.isfinite(v) and not v.is_integer()]
    largest = max(broken, default=0.0)
    decimals = 2 if largest < 1 else 1 if largest < 100 else 0
    return [_text(number, decimals) for number in numbers]


def _text(value: float, decimals: int) -> str:
    sign = MINUS if value < 0 else ""
    magnitude = abs(value)
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return f"{sign}∞"
    if magnitude >= LARGE:
        return with_exponent(value, 0)
    if magnitude.is_integer():
        return sign + f"{magnitude:.0f}"
    # Without a decimal, a fraction would look like an exact zero.
    text = f"{magnitude:.{max(decimals, 1) if magnitude < 1 else decimals}f}"
    if not text.strip("0."):
        sign = ""  # a sign on nothing but zeros would only confuse
    if text == "1.00":
        text = "1.0"  # rounded up, it would be wider than all others
    return sign + text.removeprefix("0")
