"""Number formats that the user can choose per matrix."""

import math
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np

from attnviewer.compute import Array
from attnviewer.ui.text.numbers import (
    decimals_for,
    fit_number,
    format_number,
    significant_number,
    with_exponent,
)

Kind = Literal["auto", "decimals", "significant", "scientific"]

CHARACTERS = 7
"""The least width of a column: enough for every number with an exponent."""
MOST_DIGITS = 8
MOST_AUTOMATIC = 4
LOOKED_AT = 2**18
"""The most cells examined to decide on the decimals of a matrix."""
_BLOCKS = 16
_BESIDE_DIGITS: dict[Kind, int] = {
    "auto": 0,
    "decimals": 5,  # a sign, three digits and a point, as in −123.45
    "significant": 6,  # as in −1.23e−10
    "scientific": 7,
}
"""Characters besides the digits."""


class Decimals(NamedTuple):
    """The decimals of a matrix in the automatic format.

    Parameters
    ----------
    usual : int
        The fewest that write all examined numbers in full.
    most : int
        The most that fit beside the largest number.
    """

    usual: int
    most: int

    @classmethod
    def of(cls, values: Array) -> "Decimals":
        """Return what a matrix needs, decided by some of its rows if it is large."""
        if values.size > LOOKED_AT:
            values = _some_rows(values)
        # With `initial`, the reductions need no special case for ±inf.
        finite = np.isfinite(values)
        largest = float(values.max(initial=0.0, where=finite))
        smallest = float(values.min(initial=0.0, where=finite))
        reach = max(largest, -smallest)
        before_point = len(str(math.floor(reach))) if reach < 1e6 else 1
        most = min(max(CHARACTERS - 2 - before_point, 2), MOST_AUTOMATIC)
        usual = 0
        # In blocks, as a few numbers with many digits can end the search.
        for row in range(0, len(values), 256):
            usual = max(usual, decimals_for(values[row : row + 256], most))
            if usual == most:
                break
        return cls(usual, most)

    def after(self, values: Array, rows: slice, columns: slice) -> "Decimals":
        """Return what a matrix needs after some of its cells changed.

        A large one is not examined again: its decimals can only grow.
        """
        if values.size <= LOOKED_AT:
            return Decimals.of(values)
        changed = Decimals.of(values[rows, columns])
        most = min(self.most, changed.most)
        return Decimals(min(max(self.usual, changed.usual), most), most)


def _some_rows(values: Array) -> Array:
    height = max(1, LOOKED_AT // values.shape[1] // _BLOCKS)
    last = max(len(values) - height, 0)
    starts = np.unique(np.linspace(0, last, _BLOCKS).astype(int))
    some: Array = np.concatenate([values[row : row + height] for row in starts])
    return some


@dataclass(frozen=True, slots=True)
class NumberFormat:
    """A number format.

    Parameters
    ----------
    kind : str
        ``auto`` uses no decimals for integer matrices, and otherwise the fewest that
        write all numbers in full; ``decimals``, ``significant`` and ``scientific`` use
        `digits`.
    digits : int
        Decimals, significant digits, or decimals before the exponent.
    """

    kind: Kind = "auto"
    digits: int = 0

    @property
    def characters(self) -> int:
        """The width of a column of such numbers."""
        return max(CHARACTERS, self.digits + _BESIDE_DIGITS[self.kind])

    def write(self, value: float, decimals: Decimals) -> str:
        """Format a number in at most `characters`.

        Parameters
        ----------
        value : float
            The number.
        decimals : Decimals
            What its matrix needs in the automatic format. A number that needs more gets
            more: rounded, it would look like another one.
        """
        if not math.isfinite(value):
            return format_number(value, 0)
        if self.kind == "auto":
            usual, most = decimals
            # Rounding overflows near the largest float; such numbers are integers.
            enough = usual == most or value.is_integer() or round(value, usual) == value
            text = format_number(value, usual if enough else most)
        elif self.kind == "decimals":
            text = format_number(value, self.digits)
        elif self.kind == "significant":
            text = significant_number(value + 0.0, self.digits)
        else:
            text = with_exponent(value + 0.0, self.digits)
        return fit_number(text, value, self.characters, max(self.digits, 2))

    def stepped(self, by: int, decimals: Decimals) -> "NumberFormat":
        """Return the format with more or fewer digits, within its bounds.

        Parameters
        ----------
        by : int
            How many more.
        decimals : Decimals
            The decimals to start from in the automatic format.
        """
        if self.kind == "auto":
            return NumberFormat("decimals", decimals.usual).stepped(by, decimals)
        fewest = 1 if self.kind == "significant" else 0
        digits = min(max(self.digits + by, fewest), MOST_DIGITS)
        return replace(self, digits=digits)


AUTOMATIC = NumberFormat()
