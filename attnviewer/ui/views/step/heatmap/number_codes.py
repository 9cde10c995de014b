"""Formats many numbers at once, as character codes."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from attnviewer.compute import Array, BoolArray
from attnviewer.ui.text.matrix_numbers import BELOW_UNIT, cell_number
from attnviewer.ui.text.numbers import MINUS

CHARACTERS = f" 0123456789.{MINUS}+{BELOW_UNIT}e∞Na"
"""All that numbers are written with; a code is a place in it."""
_ZERO, _POINT, _MINUS, _PLUS, _BELOW = (
    CHARACTERS.index(c) for c in f"0.{MINUS}+{BELOW_UNIT}"
)
_TIE = 1e-5
"""Distance from a tie below which the exact decimals decide the rounding."""


@dataclass(frozen=True, slots=True, eq=False)
class NumberCodes:
    """Numbers as text, each right-aligned and padded with spaces.

    Parameters
    ----------
    codes : ndarray of uint8, shape (n, letters)
        Indices into `CHARACTERS`.
    lengths : ndarray of int, shape (n,)
        Number of characters of each; 0 if it is not written.
    """

    codes: NDArray[np.uint8]
    lengths: NDArray[np.intp]

    def texts(self) -> list[str]:
        """Return the texts of the numbers that are written."""
        return [text for text in self.all_texts() if text]

    def all_texts(self) -> list[str]:
        """Return the texts of all numbers, "" for those not written."""
        rows = np.array(list(CHARACTERS))[self.codes]  # (n, letters)
        written = zip(rows.tolist(), self.lengths.tolist(), strict=True)
        return ["".join(row).strip() if length else "" for row, length in written]


def write_numbers(
    values: Array,
    decimals: int,
    letters: int,
    written: BoolArray | None = None,
    *,
    plus: bool = False,
    compact: bool = False,
) -> NumberCodes:
    """Write numbers as `cell_number` does, thousands of them in a millisecond.

    Parameters
    ----------
    values : ndarray, shape (n,)
        The numbers.
    decimals : int
        Digits after the point.
    letters : int
        The most characters of a number; without its end it would read as another one,
        so a longer one is left out.
    written : ndarray of bool, shape (n,), optional
        Which of them; all by default.
    plus : bool
        Whether positive numbers have their sign.
    compact : bool
        Whether zeros before the point are left out.
    """
    values = np.asarray(values, np.float64)
    sizes = np.abs(values)  # (n,)
    with np.errstate(all="ignore"):
        scaled = sizes * 10.0**decimals
        whole = np.rint(scaled)
        tie = np.abs(np.abs(scaled - whole) - 0.5) < _TIE
        below = (sizes > 0) & (whole == 0) & ~tie
        # What is written with an exponent, as ∞ or as NaN is not plain.
        plain = (sizes < 1e6) & ~tie & ~below
    digits = np.where(plain, whole, 0).astype(np.int64)  # (n,)
    count = np.maximum(_n_digits(digits), decimals + (not compact or not decimals))
    signs = np.where(values < 0, _MINUS, _PLUS if plus else 0)  # (n,)
    signs[digits == 0] = 0
    lengths = count + (decimals > 0) + (signs > 0)  # (n,)
    plain &= lengths <= letters
    if compact:
        plain &= digits < 10**decimals
    if written is not None:
        lengths = np.where(written, lengths, 0)
    codes = np.zeros((values.size, max(letters, 1)), np.uint8)
    _fill(codes, digits, decimals, count)
    rows = np.flatnonzero((signs > 0) & plain & (lengths > 0))
    codes[rows, codes.shape[1] - lengths[rows]] = signs[rows]
    codes[~plain if written is None else ~plain | ~written] = 0
    if written is not None:
        below &= written
    codes[below, -1], lengths[below] = _BELOW, 1
    odd = ~(plain | below) if written is None else ~(plain | below) & written
    _write_odd(codes, lengths, values, odd, decimals, plus=plus, compact=compact)
    return NumberCodes(codes, lengths)


def _n_digits(whole: NDArray[np.int64]) -> NDArray[np.intp]:
    powers = 10 ** np.arange(1, 12)
    return np.searchsorted(powers, whole, side="right") + 1


def _fill(
    codes: NDArray[np.uint8],
    digits: NDArray[np.int64],
    decimals: int,
    count: NDArray[np.intp],
) -> None:
    """Write the digits and points, from the last digit to the first."""
    column, rest = codes.shape[1] - 1, digits
    for k in range(max(int(count.max(initial=0)), decimals + 1)):
        if k == decimals and decimals and column >= 0:
            codes[:, column] = _POINT
            column -= 1
        if column < 0:
            return
        rest, digit = np.divmod(rest, 10)
        codes[:, column] = np.where(k < count, _ZERO + digit, 0)
        column -= 1


def _write_odd(
    codes: NDArray[np.uint8],
    lengths: NDArray[np.intp],
    values: Array,
    odd: BoolArray,
    decimals: int,
    *,
    plus: bool,
    compact: bool,
) -> None:
    """Write what has no plain digits, each different number once."""
    if not odd.any():
        return
    letters = codes.shape[1]
    numbers, which = np.unique(values[odd], return_inverse=True)
    rows = np.zeros((numbers.size, letters), np.uint8)
    sizes = np.zeros(numbers.size, np.intp)
    for row, number in enumerate(numbers.tolist()):
        places = _odd_codes(number, decimals, letters, plus=plus, compact=compact)
        sizes[row] = len(places)
        rows[row, letters - len(places) :] = places
    codes[odd], lengths[odd] = rows[which], sizes[which]


@lru_cache(maxsize=4096)
def _odd_codes(
    value: float, decimals: int, letters: int, *, plus: bool, compact: bool
) -> tuple[int, ...]:
    """Return the codes of a number without plain digits, which many edits share."""
    text = cell_number(value, decimals, compact=compact)
    if plus and text.strip("0.") and value > 0 and text != BELOW_UNIT:
        text = f"+{text}"
    return tuple(map(CHARACTERS.index, text)) if len(text) <= letters else ()
