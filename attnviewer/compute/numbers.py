"""Checks of the numbers in an array."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import DTypeLike

from attnviewer.compute.arrays import Array, BoolArray


def in_words(name: str) -> str:
    """Return the default name of an array in messages."""
    return f"'{name}' matrix"


def check_matrix(name: str, values: Array, *, infinite: bool = False) -> None:
    """Check that an array is a finite float matrix with at least one cell.

    With `infinite`, −inf is allowed, too.

    Raises
    ------
    ValueError
        With the first cell that is not finite, or the shape.
    """
    if values.ndim != 2 or 0 in values.shape:
        raise ValueError(
            f"The '{name}' matrix must have 2 dimensions of at least 1 each. "
            f"Got shape {values.shape} instead."
        )
    check_numbers(in_words(name), values, infinite=infinite)


def check_numbers(
    called: str,
    values: Array,
    *,
    infinite: bool = False,
    ranges: Sequence[range] = (),
) -> None:
    """Check that an array holds finite floats, or −inf too.

    Parameters
    ----------
    called : str
        The name of the array in messages.
    values : ndarray
        The array, or a block of it.
    infinite : bool
        Whether −inf is allowed.
    ranges : sequence of two range
        The rows and columns of the array that the block covers, if it is one.

    Raises
    ------
    ValueError
        With the first number that is not allowed, and its position.
    """
    if not np.issubdtype(values.dtype, np.floating):
        raise ValueError(
            f"The {called} must hold floating-point numbers. "
            f"Got {values.dtype} instead."
        )
    # NaN and infinity show in the sum, for which no array is allocated.
    with np.errstate(all="ignore"):
        if np.isfinite(values.sum()):
            return
    allowed = np.isfinite(values)
    if infinite:
        allowed |= np.isneginf(values)
    if not allowed.all():
        finite = "finite numbers or −inf" if infinite else "finite numbers"
        raise ValueError(
            f"The {called} must hold {finite}. {_first(~allowed, values, ranges)}"
        )


def converted(
    called: str,
    values: Array,
    dtype: DTypeLike,
    *,
    infinite: bool = False,
    ranges: Sequence[range] = (),
) -> Array:
    """Return a copy of an array in another floating-point type, in C order.

    Parameters
    ----------
    called, ranges
        As in `check_numbers`.
    values : ndarray
        The array, or a block of it.
    dtype : dtype
        The type.
    infinite : bool
        Whether a number below its range becomes −inf.

    Raises
    ------
    ValueError
        With the first finite number that is too large for the type, and its position.
    """
    with np.errstate(over="ignore"):
        copy = np.array(values, dtype=dtype, order="C")
    if not np.isfinite(copy).all():
        lost = np.isposinf(copy) if infinite else np.isinf(copy)
        beyond = lost & np.isfinite(values)
        if beyond.any():
            raise ValueError(
                f"The {called} must hold numbers in the range of {copy.dtype}. "
                f"{_first(beyond, values, ranges)}"
            )
    return copy


def check_convertible(called: str, values: Array, dtype: DTypeLike) -> None:
    """Check that finite numbers can be `converted`, without a copy of them.

    Parameters
    ----------
    called, values, dtype
        As for `converted`.

    Raises
    ------
    ValueError
        With the first number that is too large for the type, and its position.
    """
    if max(values.max(), -values.min()) > np.finfo(dtype).max:
        converted(called, values, dtype)


def _first(wrong: BoolArray, values: Array, ranges: Sequence[range]) -> str:
    """Tell the first wrong number and its position."""
    found = [int(i) for i in np.argwhere(wrong)[0]]
    index = found[: len(found) - len(ranges)]
    index += [own[k] for own, k in zip(ranges, found[len(index) :], strict=True)]
    return f"Got {float(values[tuple(found)])} at {index} instead."
