"""Rotations with a factor on the columns that rotate, and LongRoPE's frequencies."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from attnviewer.compute.arguments import positive_number, whole_number
from attnviewer.compute.arrays import Array
from attnviewer.compute.positions.frequencies import (
    base_frequencies,
    check_count,
    check_frequencies,
    check_rotary_dim,
)
from attnviewer.compute.positions.rotary import rotary_angles
from attnviewer.compute.positions.scheme import Rotary


def scheme_angles(
    scheme: Rotary, positions: ArrayLike, rotary_dim: int
) -> tuple[Array, Array]:
    """Return the cosines and sines of a scheme, times its attention factor.

    Parameters
    ----------
    scheme : Rotary
        The scheme; its offset is not added.
    positions : array_like, shape (..., n); (..., n, axes) for a scheme with axes
        The positions.
    rotary_dim : int
        How many columns rotate.

    Returns
    -------
    cos, sin : ndarray of float64, shape (..., n, rotary_dim / 2)
    """
    cos, sin = rotary_angles(
        positions, rotary_dim, scheme.base, scheme.frequencies, scheme.axes
    )
    return cos * scheme.attention_factor, sin * scheme.attention_factor


def longrope_frequencies(
    rotary_dim: int, base: float, factors: Sequence[float]
) -> tuple[float, ...]:
    """Return frequencies that are each divided by a factor of their own.

    Parameters
    ----------
    rotary_dim : int
        D, how many columns rotate, an even number.
    base : float
        Of the frequencies that are scaled, see `base_frequencies`.
    factors : sequence of float
        D / 2 numbers. Models have two lists, for texts up to the length that they were
        first trained on and for longer ones.

    Returns
    -------
    tuple of float
        D / 2 numbers, in radians per position.

    Raises
    ------
    TypeError, ValueError
        If `rotary_dim` is not even, or the factors are not positive or not D / 2.

    References
    ----------
    Ding et al. 2024, "LongRoPE: Extending LLM Context Window Beyond 2 Million Tokens",
    section 3.
    """
    own = np.array(check_frequencies(factors))  # (D / 2,)
    check_count(len(own), rotary_dim)
    slowed: Array = base_frequencies(rotary_dim, base) / own
    return tuple(slowed.tolist())


def longrope_attention_factor(factor: float, trained_length: int) -> float:
    """Return LongRoPE's attention factor, √(1 + ln(factor) / ln(trained length)).

    Parameters
    ----------
    factor : float
        The longest text over the trained length; up to 1 the result is 1.
    trained_length : int
        How many positions the model was first trained on, at least 2.

    Raises
    ------
    TypeError, ValueError
        If a number is not positive, or the length less than 2.

    References
    ----------
    Ding et al. 2024, and Microsoft's code for Phi-3.
    """
    growth = math.log(max(positive_number("factor", factor), 1.0))
    length = whole_number("trained_length", trained_length, 2)
    return math.sqrt(1 + growth / math.log(length))


def dynamic_base(
    rotary_dim: int,
    base: float = 10000.0,
    *,
    factor: float,
    length: int,
    trained_length: int,
) -> float:
    """Return the base of dynamic NTK, which grows with the length of the text.

    Parameters
    ----------
    rotary_dim : int
        D, how many columns rotate, an even number of at least 4.
    base : float
        The base within the trained length, which is returned there.
    factor : float
        How fast it grows: by (factor · length / trained_length − (factor − 1)) to the
        power of D / (D − 2).
    length, trained_length : int
        The length of the text, and that up to which nothing changes.

    Raises
    ------
    TypeError, ValueError
        If a number is not positive, or `rotary_dim` not even or less than 4.

    References
    ----------
    Peng et al. 2023, "YaRN: Efficient Context Window Extension of Large Language
    Models", section 3.3.
    """
    check_rotary_dim(rotary_dim)
    columns = whole_number("rotary_dim", rotary_dim, 4)
    trained = whole_number("trained_length", trained_length, 1)
    longest = max(whole_number("length", length, 1), trained)
    growth = positive_number("factor", factor) * (longest / trained - 1) + 1
    return float(positive_number("base", base) * growth ** (columns / (columns - 2)))
