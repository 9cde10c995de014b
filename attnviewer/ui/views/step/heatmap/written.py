"""Many numbers written at once, as codes of characters."""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from attnviewer.compute import Array, BoolArray
from attnviewer.ui.text.numbers import MINUS, fitted_number, format_number

CHARACTERS = f" 0123456789.{MINUS}e∞Na≈"
"""All that numbers are written with; a code is a place in it."""
_ZERO, _POINT, _MINUS = (CHARACTERS.index(c) for c in f"0.{MINUS}")
LETTERS_OF_TWO_DIGITS = 6
"""A number below 1 with an exponent has one digit in less room, as in 7e−4."""
SMALLEST = 1e-300
"""Powers of ten below this one are not exact enough to be divided by."""
_TIE = 1e-5
"""So near to the middle between two roundings, the exact decimals decide."""


@dataclass(frozen=True, slots=True, eq=False)
class Written:
    """Numbers as text, each flush right and preceded by spaces.

    Parameters
    ----------
    codes : ndarray of uint8, shape (n, letters)
        Places in `CHARACTERS`.
    lengths : ndarray of int, shape (n,)
        Characters of each; 0 for what is not written.
    """

    codes: NDArray[np.uint8]
    lengths: NDArray[np.intp]

    def texts(self) -> list[str]:
        """Return the texts of those that are written."""
        return [text for text in self.all_texts() if text]

    def all_texts(self) -> list[str]:
        """Return the texts of all, "" for what is not written."""
        rows = np.array(list(CHARACTERS))[self.codes]  # (n, letters)
        written = zip(rows.tolist(), self.lengths.tolist(), strict=True)
        return ["".join(row).strip() if length else "" for row, length in written]


def write_numbers(
    values: Array, decimals: int, letters: int, written: BoolArray | None = None
) -> Written:
    """Write numbers as `fitted_number` does, thousands of them in a millisecond.

    Parameters
    ----------
    values : ndarray, shape (n,)
        The numbers.
    decimals : int
        Digits after the point, where there is room for them.
    letters : int
        The most characters of a number.
    written : ndarray of bool, shape (n,), optional
        Which of them; all by default.
    """
    values = np.asarray(values, np.float64)
    sizes = np.abs(values)  # (n,)
    with np.errstate(all="ignore"):
        scaled = sizes * 10.0**decimals
        whole = np.rint(scaled)
        tie = np.abs(np.abs(scaled - whole) - 0.5) < _TIE
        # What is written with an exponent, as ∞ or as NaN is not plain.
        plain = (sizes < 1e6) & ~tie & ((sizes == 0) | (whole > 0))
    digits = np.where(plain, whole, 0).astype(np.int64)  # (n,)
    count = np.maximum(_n_digits(digits), decimals + 1)
    negative = values < 0
    lengths = count + (decimals > 0) + negative  # (n,)
    plain &= lengths <= letters
    if written is not None:
        lengths = np.where(written, lengths, 0)
    codes = np.zeros((values.size, max(letters, 1)), np.uint8)
    _fill(codes, digits, decimals, count)
    rows = np.flatnonzero(negative & plain & (lengths > 0))
    codes[rows, codes.shape[1] - lengths[rows]] = _MINUS
    odd = ~plain if written is None else ~plain & written
    codes[~plain if written is None else ~plain | ~written] = 0
    keys = values.copy()
    if letters < LETTERS_OF_TWO_DIGITS:
        small = odd & (sizes > 0) & (whole == 0) & ~tie
        keys[small] = _with_one_digit(values[small])
    _write_odd(codes, lengths, keys, odd, decimals)
    return Written(codes, lengths)


def _with_one_digit(values: Array) -> Array:
    """Return one number for all that are the same with one digit: those near 7e−4."""
    with np.errstate(all="ignore"):
        units = 10.0 ** np.floor(np.log10(np.abs(values)))
        digits = values / units
        whole = np.rint(digits)
        tie = np.abs(np.abs(digits - whole) - 0.5) < _TIE
        alike = ~tie & np.isfinite(whole) & (units > SMALLEST)
        return np.where(alike, whole * units, values)


def _n_digits(whole: NDArray[np.int64]) -> NDArray[np.intp]:
    powers = 10 ** np.arange(1, 12)
    return np.searchsorted(powers, whole, side="right") + 1


def _fill(
    codes: NDArray[np.uint8],
    digits: NDArray[np.int64],
    decimals: int,
    count: NDArray[np.intp],
) -> None:
    """Write digits and points, from the last one on."""
    place, rest = codes.shape[1] - 1, digits
    for k in range(int(count.max(initial=0))):
        if k == decimals and decimals and place >= 0:
            codes[:, place] = _POINT
            place -= 1
        if place < 0:
            return
        rest, digit = np.divmod(rest, 10)
        codes[:, place] = np.where(k < count, _ZERO + digit, 0)
        place -= 1


def _write_odd(
    codes: NDArray[np.uint8],
    lengths: NDArray[np.intp],
    keys: Array,
    odd: BoolArray,
    decimals: int,
) -> None:
    """Write what has no plain digits, once for all that have the same key."""
    if not odd.any():
        return
    letters = codes.shape[1]
    numbers, which = np.unique(keys[odd], return_inverse=True)
    rows = np.zeros((numbers.size, letters), np.uint8)
    sizes = np.zeros(numbers.size, np.intp)
    for row, number in enumerate(numbers.tolist()):
        places = _odd_codes(number, decimals, letters)
        sizes[row] = len(places)
        rows[row, letters - len(places) :] = places
    codes[odd], lengths[odd] = rows[which], sizes[which]


@lru_cache(maxsize=4096)
def _odd_codes(value: float, decimals: int, letters: int) -> tuple[int, ...]:
    """Return the codes of a number without plain digits, which many edits share."""
    text = short_text(value, decimals, letters)
    # Without its end it would read as another number.
    return tuple(map(CHARACTERS.index, text)) if len(text) <= letters else ()


def short_text(value: float, decimals: int, letters: int) -> str:
    """Write a number into a cell; it may still be longer than that."""
    if not math.isfinite(value):
        return format_number(value, 0)
    # Adding 0.0 turns −0.0 into 0.0.
    text = fitted_number(value + 0.0, decimals, letters)
    # Only a true zero may look like zero.
    return "≈0" if len(text) > letters and 0 < abs(value) < 1 else text
