"""The tolerance of typed numbers."""

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

from attnviewer.document import parse_number

Measure: TypeAlias = Literal["digits", "abs", "rel"]
_EXACT = 1e-9
"""What rounding in binary may add to a difference."""
_LONGEST = 10_000
_NOT_FINITE = {"nan": math.nan, "inf": math.inf, "+inf": math.inf, "∞": math.inf}


@dataclass(frozen=True, slots=True)
class Tolerance:
    """The distance that a number may have from the right one.

    Parameters
    ----------
    measure : str
        ``digits`` after the point, to which the number is rounded; ``abs``, an absolute
        difference; ``rel``, one by the size of the right number.
    amount : float
        How many, or how much.
    """

    measure: Measure
    amount: float

    def holds(self, typed: float, right: float) -> bool:
        """Return whether a typed number is close enough.

        Of digits, a whole number must be met exactly.
        """
        if math.isnan(right) or math.isnan(typed):
            return math.isnan(right) and math.isnan(typed)
        if math.isinf(right) or math.isinf(typed):
            return typed == right
        slack = _EXACT * max(1.0, abs(right))
        if self.measure == "abs":
            slack += self.amount
        elif self.measure == "rel":
            slack += self.amount * abs(right)
        elif not is_whole(right):
            slack += 0.5 * 10**-self.amount
        return abs(typed - right) <= slack

    def text(self, number: float) -> str:
        """Return a number with enough digits to be close enough."""
        if math.isnan(number):
            return "nan"
        if math.isinf(number):
            return "inf" if number > 0 else "-inf"
        if is_whole(number) and abs(number) < 1e15:
            return str(round(number))
        if self.measure == "digits":
            return f"{number:.{int(self.amount)}f}"
        for digits in range(3, 17):
            text = f"{number:.{digits}g}"
            if self.holds(float(text), number):
                return text
        return repr(number)


def is_whole(number: float) -> bool:
    """Return whether a number is whole up to rounding in binary."""
    return abs(number - round(number)) <= _EXACT * max(1.0, abs(number))


def read_typed(text: str) -> float:
    """Return the number that a learner typed.

    Arithmetic is allowed, as in the cells of a document, and what a computation that
    overflows gives: inf, −inf and nan.

    Raises
    ------
    ValueError
        With a sentence on what to type instead.
    """
    word = text.strip().lower()
    if word in _NOT_FINITE:
        return _NOT_FINITE[word]
    if len(text) > _LONGEST:
        raise ValueError(f"A number must have at most {_LONGEST} characters.")
    return parse_number(text, infinite=True)
