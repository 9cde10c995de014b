"""The values that a document's matrices may hold."""

import numpy as np
from numpy.typing import ArrayLike

from attnviewer.compute import (
    Array,
    BoolArray,
    check_matrix,
    check_numbers,
    real_array,
)
from attnviewer.document.edits import EditError

_ROWS = "b_", "gain_", "shift_"
"""How the names of matrices of one row begin."""
MASK = "mask"
"""The boolean matrix: True where a query may look."""
BIAS = "bias"
"""The matrix that is added to the scores; −inf hides a key."""
RELATIVE_BIAS = "relative_bias"
"""The table of `RelativeBias`: a row for each bucket, a column for each head."""

SINKS = "sinks"
"""The logits of the heads' sinks."""


def own_copy(name: str, array: ArrayLike) -> Array:
    """Return a copy as a document keeps it: a vector as one row.

    Parameters
    ----------
    name : str
        The matrix.
    array : array-like
        Its content; booleans for the mask, else numbers.

    Raises
    ------
    EditError
        If it holds neither.
    """
    try:
        given = real_array(f"'{name}' matrix", array)
    except (TypeError, ValueError) as error:
        raise EditError(str(error)) from error
    if name == MASK and given.dtype == np.bool_:
        return np.array(given, order="C")
    numbers = np.array(given, dtype=np.float64, order="C")
    if is_row(name) and numbers.ndim == 1:
        return numbers[np.newaxis]  # (1, columns)
    return numbers


def is_row(name: str) -> bool:
    """Return whether a matrix is one row: a bias b_…, a gain or shift, or the sinks."""
    return name.startswith(_ROWS) or name == SINKS


def check_whole(name: str, array: Array) -> None:
    """Check a whole matrix.

    Raises
    ------
    ValueError
        If it is not a matrix, or holds invalid values.
    """
    if name == MASK:
        if array.dtype != np.bool_ or array.ndim != 2 or 0 in array.shape:
            raise ValueError(
                "The 'mask' matrix must hold True and False in 2 dimensions of at "
                f"least 1 each. Got {array.dtype} of shape {array.shape} instead."
            )
    else:
        check_matrix(name, array, infinite=name == BIAS)


def check_cells(name: str, values: ArrayLike, row: int, column: int) -> None:
    """Check values to be written into a matrix at a row and a column.

    Raises
    ------
    EditError
        If they are not valid for the matrix.
    """
    values = np.asarray(values)
    wanted: type[np.generic] = np.bool_ if name == MASK else np.floating
    if values.ndim != 2 or not np.issubdtype(values.dtype, wanted):
        kind = "True and False" if name == MASK else "floating-point numbers"
        raise EditError(
            f"The 'values' must be a matrix of {kind}. "
            f"Got {values.dtype} of shape {values.shape} instead."
        )
    if name == MASK:
        return
    rows, columns = values.shape
    ranges = range(row, row + rows), range(column, column + columns)
    try:
        check_numbers(f"'{name}' matrix", values, infinite=name == BIAS, ranges=ranges)
    except ValueError as error:
        raise EditError(str(error)) from None


def same_bits(one: Array | BoolArray, other: Array | BoolArray) -> bool:
    """Return whether two matrices are equal bit for bit: −0.0 differs from 0.0."""
    if one.dtype != np.float64 or other.dtype != np.float64:
        return one.dtype == other.dtype and np.array_equal(one, other)
    return np.array_equal(one.view(np.uint64), other.view(np.uint64))
