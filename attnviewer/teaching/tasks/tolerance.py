"""How close a typed number must come."""

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

from attnviewer.document import parse_number

Measure: TypeAlias = Literal["digits", "abs", "rel"]
_EXACT = 1e-9
_ROUNDED = 1e-9
"""What rounding in binary may add to half a unit of the last digit."""
_NOT_FINITE = {"nan": math.nan, "inf": math.inf, "+inf": math.inf, "∞": math.inf}


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How far a number may be from the right one.

    Parameters
    ----------
    measure : str
        ``digits`` after the point, to which the number is rounded; ``abs``, an absolute
        difference; ``rel``, one by the size of the right number.
    amount : float
        How many, or how much.
    """

    measure: Measure = "digits"
    amount: float = 2

    def holds(self, typed: float, right: float) -> bool:
        """Return whether a typed number is close enough.

        Of digits, a whole number must be met exactly.
        """
        if math.isnan(right) or math.isnan(typed):
            return math.isnan(right) and math.isnan(typed)
        if math.isinf(right) or math.isinf(typed):
            return typed == right
        apart = abs(typed - right)
        if self.measure == "abs":
            return apart <= self.amount + _EXACT
        if self.measure == "rel":
            return apart <= self.amount * abs(right) + _EXACT * max(1.0, abs(right))
        if abs(right - round(right)) <= _EXACT:
            return apart <= _EXACT * max(1.0, abs(right))
        return apart <= 0.5 * 10**-self.amount + _ROUNDED

    def text(self, number: float) -> str:
        """Return a number in as many digits as are asked for, at least."""
        if not math.isfinite(number):
            return {True: "nan"}.get(
                math.isnan(number), "inf" if number > 0 else "−inf"
            )
        if abs(number - round(number)) <= _EXACT and abs(number) < 1e15:
            return str(round(number))
        if self.measure == "digits":
            return f"{number:.{int(self.amount)}f}"
        return f"{number:.6g}"


def read_typed(text: object) -> float:
    """Return the number that a learner typed.

    Arithmetic is allowed, as in the cells of a document, and what a computation that
    overflows gives: inf, −inf and nan.

    Raises
    ------
    ValueError
        With a sentence on what to type instead.
    """
    typed = text if isinstance(text, str) else str(text)
    word = typed.strip().lower()
    if word in _NOT_FINITE:
        return _NOT_FINITE[word]
    return parse_number(typed[:10_000], infinite=True)
