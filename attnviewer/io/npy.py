"""NumPy's file format for one array, without the parts that can run code."""

import io
import math
import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnviewer.compute import Array

LARGEST_HEADER = 2**16
"""Bytes that the description of an array may have."""


class NpyError(ValueError):
    """Bytes that are no array in NumPy's format, or none that can be used."""


def write_npy(array: Array) -> bytes:
    """Return an array in NumPy's format.

    Parameters
    ----------
    array : ndarray
        Of numbers or of truth values.
    """
    file = io.BytesIO()
    np.lib.format.write_array(file, array, version=(1, 0), allow_pickle=False)
    return file.getvalue()


def read_npy(data: bytes) -> NDArray[Any]:
    """Return the array that some bytes are, as a view of them.

    Nothing is allocated before the bytes have been found to be as many as the array
    needs, and nothing is unpickled.

    Parameters
    ----------
    data : bytes
        The whole file.

    Raises
    ------
    NpyError
        With the reason, if it is something else.
    """
    file = io.BytesIO(data)
    try:
        shape, in_columns, dtype = _header(file)
    except NpyError:
        raise
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError) as error:
        raise NpyError("It is not an array in NumPy's format.") from error
    if dtype.hasobject:
        raise NpyError(
            "The array holds Python objects, which are read by running code. Save it "
            "as numbers."
        )
    if dtype.kind not in "biuf":
        raise NpyError(f"The array must hold numbers. It holds {dtype} instead.")
    given, needed = len(data) - file.tell(), math.prod(shape) * dtype.itemsize
    if given != needed:
        raise NpyError(
            f"The array of shape {shape} must have {needed:,} bytes. "
            f"It has {given:,} instead."
        )
    flat = np.frombuffer(data, dtype, math.prod(shape), file.tell())
    return flat.reshape(shape, order="F" if in_columns else "C")


def _header(file: io.BytesIO) -> tuple[tuple[int, ...], bool, "np.dtype[np.generic]"]:
    read = {
        (1, 0): np.lib.format.read_array_header_1_0,
        (2, 0): np.lib.format.read_array_header_2_0,
    }
    version = np.lib.format.read_magic(file)
    if version not in read:
        raise NpyError(
            f"The array is in version {version[0]}.{version[1]} of NumPy's format; "
            "versions 1.0 and 2.0 can be read."
        )
    with warnings.catch_warnings():
        # Headers that Python 2 wrote are mended, with a warning to whoever wrote them.
        warnings.simplefilter("ignore", UserWarning)
        shape, in_columns, dtype = read[version](file, max_header_size=LARGEST_HEADER)
    if any(size < 0 for size in shape):
        raise NpyError(f"The array must have no negative size. Got {shape} instead.")
    return shape, in_columns, dtype
