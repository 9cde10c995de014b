"""The frequencies of rotary embeddings."""

import numpy as np
from numpy.typing import ArrayLike

from attnviewer.compute.arguments import positive_number, real_array, whole_number
from attnviewer.compute.arrays import Array


def base_frequencies(rotary_dim: int, base: float = 10000.0) -> Array:
    """Return the angles that pairs of columns rotate by per position.

    Parameters
    ----------
    rotary_dim : int
        D, how many columns rotate, an even number.
    base : float
        Pair i rotates by base^(−2i / D) radians per position.

    Returns
    -------
    ndarray of float64, shape (D / 2,)
        In radians per position.

    Raises
    ------
    TypeError, ValueError
        If `rotary_dim` is not even or the base not positive.

    References
    ----------
    Su et al. 2021, "RoFormer", equation 15.
    """
    rotary_dim = check_rotary_dim(rotary_dim)
    base = positive_number("base", base)
    frequencies: Array = base ** -(np.arange(0, rotary_dim, 2) / rotary_dim)
    return frequencies


def check_frequencies(frequencies: ArrayLike) -> tuple[float, ...]:
    """Return frequencies that are given, as Python's own floats.

    Raises
    ------
    TypeError, ValueError
        If they are not a list of positive numbers.
    """
    values = real_array("'frequencies' parameter", frequencies)
    if values.ndim != 1:
        raise ValueError(
            "The 'frequencies' parameter must have 1 dimension, a number for each pair "
            f"of columns. Got shape {values.shape} instead."
        )
    numbers = tuple(map(float, values))
    for number in numbers:
        positive_number("frequencies", number, "hold positive numbers")
    return numbers


def check_count(count: int, rotary_dim: int) -> None:
    """Check that there is a frequency for each pair of the columns that rotate.

    Raises
    ------
    ValueError
        If there is not.
    """
    if 2 * count != rotary_dim:
        raise ValueError(
            "The 'frequencies' parameter must hold half as many numbers as the "
            f"{rotary_dim} rotated columns. Got {count} instead."
        )


def check_rotary_dim(rotary_dim: int, d: int | None = None) -> int:
    """Return how many columns rotate, of `d` columns if that is known.

    Raises
    ------
    TypeError, ValueError
        If it is not an even number from 2 to `d`.
    """
    columns = whole_number("rotary_dim", rotary_dim)
    if columns % 2 or columns < 2 or (d is not None and columns > d):
        most = "" if d is None else f" and at most the {d} columns of 'x'"
        raise ValueError(
            f"The 'rotary_dim' parameter must be even, at least 2{most}. "
            f"Got {columns} instead."
        )
    return columns
