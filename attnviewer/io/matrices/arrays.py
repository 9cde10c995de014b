"""Conversion of stored numbers of any type to floats."""

import numpy as np
from numpy.typing import NDArray

from attnviewer.compute import Array
from attnviewer.io.safetensors import widened

MOST_DIMENSIONS = 5
"""Maximum number of axes: layers, batch items, heads, rows and columns."""
EXACT = 2**53
"""Up to here every integer is exact as a float."""
LOWEST = "'{}' has −∞ in it, which only a bias can use."
ROUNDED = "'{}' holds whole numbers above 2⁵³; they are rounded."
VANISHED = "'{}' holds numbers too small for a float; they became 0."


def check_shape(shape: tuple[int, ...]) -> None:
    """Check the stated shape of an array.

    Raises
    ------
    ValueError
        If such an array cannot be used.
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


def bytes_as_floats(array: NDArray[np.generic], *, bfloat16: bool = False) -> int:
    """Return how many bytes `as_floats` allocates for an array."""
    if array.dtype.kind == "f":
        return 0 if array.dtype.isnative else array.nbytes
    return (4 if bfloat16 else 8) * array.size


def as_floats(
    array: NDArray[np.generic],
    notices: list[str],
    name: str,
    *,
    bfloat16: bool = False,
    finite: bool = True,
) -> Array:
    """Return numbers as floats, without a copy if they already are.

    Parameters
    ----------
    array : ndarray
        Floats, integers or booleans.
    notices : list of str
        A sentence is appended if a number had to be rounded, or is −∞.
    name : str
        The array's name, for that sentence.
    bfloat16 : bool
        Whether it holds the bits of bfloat16 numbers, which NumPy lacks.
    finite : bool
        Whether NaN and +∞ are refused.

    Raises
    ------
    ValueError
        If it holds anything else or, with `finite`, NaN or +∞.
    """
    floats: Array
    if array.dtype.kind == "c":
        raise ValueError("Complex numbers cannot be used here.")
    if array.dtype.kind in "SU":
        raise ValueError("It holds text. It must hold numbers.")
    if array.dtype == np.dtype("V2"):
        raise ValueError(
            "It must hold numbers. NumPy's files do not keep the type of bfloat16: "
            "save it as .astype('float32'), or in a .safetensors file."
        )
    if array.dtype.kind not in "biuf" or array.dtype.itemsize > 8:
        raise ValueError(f"It must hold numbers. Got {array.dtype} instead.")
    if bfloat16:
        floats = widened(array)
    elif array.dtype.kind == "f":
        with np.errstate(invalid="ignore"):
            floats = array.astype(array.dtype.newbyteorder("="), copy=False)
    else:
        floats = array.astype(np.float64)
        if (
            array.dtype.itemsize == 8
            and max(int(array.max()), -int(array.min())) > EXACT
        ):
            notices.append(ROUNDED.format(name))
    if finite:
        _check_finite(floats, notices, name)
    return floats


def _check_finite(array: Array, notices: list[str], name: str) -> None:
    """Refuse NaN and +∞, and report −∞, which only a bias can use."""
    if _has_wrong(array):
        where = ", ".join(map(str, _first_wrong(array)))
        with np.errstate(invalid="ignore"):
            rows = np.count_nonzero(~(array.max(axis=-1) < np.inf))
        more = f", and in {rows - 1:,} more of its rows" if rows > 1 else ""
        raise ValueError(
            f"It must hold finite numbers. It has NaN or ∞ at [{where}]{more}."
        )
    if np.isneginf(array.min()):
        notices.append(LOWEST.format(name))


def _has_wrong(array: Array) -> bool:
    # A maximum needs no memory, and is NaN if any number is.
    with np.errstate(invalid="ignore"):
        return not array.max() < np.inf


def _first_wrong(array: Array) -> tuple[int, ...]:
    """Return the index of the first number that is NaN or +∞, found by halving."""
    position: tuple[int, ...] = ()
    while array.ndim:
        first, end = 0, len(array)
        while end - first > 1:
            middle = (first + end) // 2
            if _has_wrong(array[first:middle]):
                end = middle
            else:
                first = middle
        position += (first,)
        array = array[first]
    return position
