"""Continuations of columns of numbers: linear series, or repetition."""

import sys
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from attnviewer.compute import Array

_LARGEST = sys.float_info.max


def repeated(values: Array, count: int) -> Array:
    """Return the rows that follow when the given ones are repeated.

    Parameters
    ----------
    values : ndarray, shape (n, columns)
        The given rows.
    count : int
        How many rows follow.

    Returns
    -------
    ndarray, shape (count, columns)
        The given rows, over and over.
    """
    rows: Array = values[np.arange(count) % len(values)]
    return rows


def continued(values: Array, count: int) -> Array:
    """Return the rows that follow, each column being a linear series.

    A column continues along the least-squares line through its numbers, in decimal
    arithmetic: 0.1, 0.2 is followed by 0.3. A single number is followed in steps of 1.
    A column that is not finite is repeated.

    Parameters
    ----------
    values : ndarray, shape (n, columns)
        The given rows.
    count : int
        How many rows follow.

    Returns
    -------
    ndarray, shape (count, columns)
        Finite where the given column is: clipped to the range of double precision.
    """
    following = repeated(values, count)  # (count, columns)
    for column, numbers in enumerate(values.T):
        if np.isfinite(numbers).all():
            following[:, column] = _along_line(numbers.tolist(), count)
    return following


def _along_line(numbers: Sequence[float], count: int) -> list[float]:
    exact = [Fraction(repr(number)) for number in numbers]
    n = len(exact)
    middle, mean = Fraction(n - 1, 2), sum(exact, Fraction()) / n
    slope = Fraction(1)
    if n > 1:
        slope = sum(
            ((k - middle) * number for k, number in enumerate(exact)), Fraction()
        ) / sum((k - middle) ** 2 for k in range(n))
    return [_nearest(mean + slope * (k - middle)) for k in range(n, n + count)]


def _nearest(number: Fraction) -> float:
    bounded = max(-Fraction(_LARGEST), min(number, Fraction(_LARGEST)))
    return float(bounded)
