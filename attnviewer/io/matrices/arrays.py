"""From stored numbers of any type to those that are computed with."""

import numpy as np
from numpy.typing import NDArray

from attnviewer.compute import Array

MOST_DIMENSIONS = 4
"""Layers, heads, rows and columns."""
EXACT = 2**53
"""Up to here every whole number is exact as a float."""
ROUNDED = "'{}' holds whole numbers above 2⁵³; they are rounded."


def check_shape(shape: tuple[int, ...]) -> None:
    """Check a shape that an array is said to have.

    Raises
    ------
    ValueError
        If nothing can be done with such an array.
    """
    if any(size < 0 for size in shape):
        raise ValueError(f"The array must have no negative size. Got {shape} instead.")
    if not 1 <= len(shape) <= MOST_DIMENSIONS:
        raise ValueError(
            f"The array must have 1 to {MOST_DIMENSIONS} dimensions. "
            f"Got {len(shape)} instead."
        )
    if 0 in shape:
        rows, columns = (1, *shape)[-2:]
        raise ValueError(
            "The array must have at least 1 row and 1 column. "
            f"Got {rows} rows and {columns} columns instead."
        )


def as_floats(array: NDArray[np.generic], notices: list[str], name: str) -> Array:
    """Return numbers as floating-point ones, the same where they are such already.

    Parameters
    ----------
    array : ndarray
        Numbers, whole numbers, or truth values.
    notices : list of str
        Gets a sentence if a number had to be rounded, or is −∞.
    name : str
        The array's name, for the sentence.

    Raises
    ------
    ValueError
        If it holds something else, NaN or +∞.
    """
    if array.dtype.kind == "c":
        raise ValueError(f"'{name}' holds complex numbers, which cannot be used here.")
    if array.dtype.kind in "SU":
        raise ValueError(f"'{name}' holds text. It must hold numbers.")
    if array.dtype.kind not in "biuf" or array.dtype.itemsize > 8:
        raise ValueError(f"'{name}' must hold numbers. It holds {array.dtype} instead.")
    if array.dtype.kind == "f":
        floats: Array = array.astype(array.dtype.newbyteorder("="), copy=False)
    else:
        floats = array.astype(np.float64)
        if array.dtype.itemsize == 8 and np.abs(floats).max(initial=0.0) > EXACT:
            notices.append(ROUNDED.format(name))
    _check_finite(floats, notices, name)
    return floats


def _check_finite(array: Array, notices: list[str], name: str) -> None:
    """Refuse NaN and +∞, and tell of −∞, which only a bias can use."""
    if np.isfinite(array).all():
        return
    lowest = np.isneginf(array)
    rest = ~np.isfinite(array) & ~lowest
    if not rest.any():
        notices.append(f"'{name}' has −∞ in it, which only a bias can use.")
        return
    place = tuple(np.argwhere(rest)[0].tolist())
    told = "NaN" if np.isnan(array[place]) else "∞"
    where = ", ".join(map(str, place))
    raise ValueError(f"'{name}' must hold finite numbers. It has {told} at [{where}].")
