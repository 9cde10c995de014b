"""Checks of the numbers in an array."""

from collections.abc import Sequence

import numpy as np

from attnviewer.compute.arrays import Array


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
    allowed = np.isfinite(values)
    if infinite:
        allowed |= np.isneginf(values)
    if not allowed.all():
        found = [int(i) for i in np.argwhere(~allowed)[0]]
        index = found[: len(found) - len(ranges)]
        index += [own[k] for own, k in zip(ranges, found[len(index) :], strict=True)]
        finite = "finite numbers or −inf" if infinite else "finite numbers"
        raise ValueError(
            f"The {called} must hold {finite}. "
            f"Got {float(values[tuple(found)])} at {index} instead."
        )
