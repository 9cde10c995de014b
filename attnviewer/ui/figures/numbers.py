"""The number format of a matrix and its colour bar."""

import math
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from attnviewer.compute import Array
from attnviewer.ui.text.numbers import (
    MINUS,
    decimals_for,
    format_number,
    superscript,
)

MOST_DECIMALS = 2
_EXACT = 9


@dataclass(frozen=True, slots=True)
class MatrixNumbers:
    """The number format of a whole matrix.

    Parameters
    ----------
    decimals : int
        Digits after the point.
    exponent : int
        The power of ten that all numbers are divided by, stated once.
    """

    decimals: int
    exponent: int = 0

    @classmethod
    def of(cls, values: Array, decimals: int | None = None) -> "MatrixNumbers":
        """Choose the format of a matrix.

        Parameters
        ----------
        values : ndarray
            Its numbers; NaN and ±inf are ignored.
        decimals : int, optional
            The decimals; by default as many as are needed, at most `MOST_DECIMALS`.
        """
        finite = np.abs(values[np.isfinite(values)]).astype(np.float64)
        largest = float(finite.max(initial=0.0))
        exponent = 0
        if largest and not 0.01 <= largest < 1000:
            exponent = math.floor(math.log10(largest))
        if decimals is None:
            # Rounded, as scaling makes 2.9999999999999996 of 3.
            scaled = _scaled(finite, exponent).round(_EXACT) if exponent else finite
            decimals = decimals_for(scaled, MOST_DECIMALS)
        return cls(decimals, exponent)

    def write(self, value: float) -> str:
        """Return a number as text."""
        if not math.isfinite(value):
            return format_number(value, 0)
        number = _scaled(value, self.exponent)
        text = f"{round(number, self.decimals) + 0.0:.{self.decimals}f}"
        return text.replace("-", MINUS)

    @property
    def factor(self) -> str:
        """The common factor of the numbers, such as ``×10⁻⁹``; "" for 1."""
        if not self.exponent:
            return ""
        return f"×10{superscript(self.exponent)}"


Numbers = TypeVar("Numbers", float, Array)


def _scaled(values: Numbers, exponent: int) -> Numbers:
    # In two steps, as 10³²⁴ would overflow.
    half = exponent // 2
    return values / 10.0**half / 10.0 ** (exponent - half)


def nice_ticks(low: float, high: float, most: int) -> list[float]:
    """Return round numbers from low to high, at most so many and at least two.

    Where no two round numbers are in the range, its ends are returned.
    """
    span = high - low
    if not math.isfinite(span) or span <= 0:
        return [low, high]
    start = math.floor(math.log10(span)) - 1
    for power in range(start, start + 3):
        for step in (1.0, 2.0, 2.5, 5.0):
            step *= 10.0**power
            first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
            if 2 <= last - first + 1 <= most:
                return [k * step + 0.0 for k in range(first, last + 1)]
    return [low, high]
