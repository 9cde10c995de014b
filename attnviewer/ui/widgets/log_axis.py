"""The axis of a small plot with a logarithmic scale."""

import math

import numpy as np
import pyqtgraph as pg
from PySide6.QtGui import QFontMetricsF

from attnviewer.ui.text.numbers import significant_number

APART = 1.3
"""The least distance of labels, in lines of text."""
FEWEST = 3
"""The fewest labels that powers of ten, or their halves and doubles, make a scale."""
DIGITS = 3


class LogAxis(pg.AxisItem):
    """A vertical axis whose labels never overlap.

    On a logarithmic scale they are powers of ten, with 2 and 5 between them where these
    are few, or round numbers at equal distances within a part of a decade.
    """

    def logTickValues(
        self,
        minVal: float,
        maxVal: float,
        size: float,
        stdTicks: object,
    ) -> list[tuple[None, list[float]]]:
        most = max(2, int(size / (APART * self._line())))
        for digits in ((1,), (1, 2, 5)):
            found = _between(minVal, maxVal, digits)
            if FEWEST <= len(found) <= most:
                return [(None, found)]
            if len(found) > most:
                return [(None, _between(minVal, maxVal, (1,), most))]
        return [(None, _round_numbers(minVal, maxVal, most))]

    def logTickStrings(
        self, values: list[float], scale: float, spacing: object
    ) -> list[str]:
        return [significant_number(scale * 10.0**value, DIGITS) for value in values]

    def _line(self) -> float:
        font = self.style["tickFont"]
        return 1.0 if font is None else QFontMetricsF(font).height()


def _between(
    low: float, high: float, digits: tuple[int, ...], most: int | None = None
) -> list[float]:
    """Return the logarithms of digits times powers of ten, at most so many."""
    powers = range(math.floor(low), math.ceil(high) + 1)
    if most is not None:
        powers = powers[:: -(-len(powers) // most)]
    every = [power + math.log10(digit) for power in powers for digit in digits]
    return [value for value in every if low <= value <= high]


def _round_numbers(low: float, high: float, most: int) -> list[float]:
    """Return the logarithms of round numbers at equal distances, at most so many."""
    least, largest = 10.0**low, 10.0**high
    wanted = (largest - least) / most
    power = 10.0 ** math.floor(math.log10(wanted))
    step = power * next(digit for digit in (1, 2, 5, 10) if digit * power >= wanted)
    multiples = np.arange(math.ceil(least / step), math.floor(largest / step) + 1)
    return [float(value) for value in np.log10(multiples * step)]
