"""NumPy's file format for one array, without the parts that can run code."""

import io
import math
import warnings
from dataclasses import dataclass
from typing import Any, BinaryIO, Literal

import numpy as np
from numpy.typing import NDArray

MAGIC = b"\x93NUMPY"
"""What every file in this format begins with."""
LARGEST_HEADER = 2**16
"""Bytes that the description of an array may have."""
MOST_DIMENSIONS = 32
PIECE = 2**20
"""Bytes that are written at once: other threads wait that long at most."""
_LARGEST = 2**63 - 1
_READERS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
    # Another encoding of names, of which arrays of numbers have none.
    (3, 0): np.lib.format.read_array_header_2_0,
}


class NpyError(ValueError):
    """Bytes that are no array in NumPy's format, or none that can be used."""


@dataclass(frozen=True, slots=True)
class NpyHeader:
    """What a file says of its array.

    Parameters
    ----------
    shape : tuple of int
        Its shape.
    in_columns : bool
        Whether the numbers lie column by column.
    dtype : dtype
        Their type, no Python objects.
    start : int
        How many bytes come before the numbers.
    beyond : int
        How many bytes come after them.
    """

    shape: tuple[int, ...]
    in_columns: bool
    dtype: "np.dtype[Any]"
    start: int
    beyond: int

    @property
    def order(self) -> Literal["C", "F"]:
        """NumPy's letter for how the numbers lie."""
        return "F" if self.in_columns else "C"

    def shown(self, data: bytes) -> NDArray[Any]:
        """Return the array as a view of the bytes of the file.

        Raises
        ------
        NpyError
            If there is no array of the shape.
        """
        count = math.prod(self.shape)
        try:
            flat = np.frombuffer(data, self.dtype, count, self.start)
            return flat.reshape(self.shape, order=self.order)
        except (ValueError, OverflowError) as error:
            raise NpyError(f"There is no array of the shape {self.shape}.") from error


def npy_pieces(array: NDArray[Any]) -> list[bytes | memoryview]:
    """Return an array in NumPy's format in pieces that take no time of their own.

    Parameters
    ----------
    array : ndarray
        Of numbers, truth values or texts; the pieces show it, unless it lies scattered.
    """
    array = np.asarray(array, order="C")  # which leaves a single one as it is
    header = io.BytesIO()
    described = np.lib.format.header_data_from_array_1_0(array)
    np.lib.format.write_array_header_1_0(header, described)
    flat = array.reshape(-1).view(np.uint8).data
    pieces = (flat[start : start + PIECE] for start in range(0, len(flat), PIECE))
    return [header.getvalue(), *pieces]


def read_npy(data: bytes) -> NDArray[Any]:
    """Return the array that some bytes are, as a view of them.

    Parameters
    ----------
    data : bytes
        The whole file.

    Raises
    ------
    NpyError
        With the reason, if they are something else.
    """
    header = read_npy_header(io.BytesIO(data), len(data))
    if header.beyond:
        raise _wrong_size(header.shape, header.dtype, len(data) - header.start)
    return header.shown(data)


def read_npy_header(file: BinaryIO, size: int) -> NpyHeader:
    """Return what a file says of its array, for which the file is large enough.

    Nothing is allocated for the array, and nothing is unpickled.

    Parameters
    ----------
    file : binary file
        At its start.
    size : int
        How many bytes the file has.

    Raises
    ------
    NpyError
        With the reason, if it is no such file.
    """
    described = io.BytesIO(file.read(LARGEST_HEADER))  # whatever length it claims
    shape, in_columns, dtype = _header(described)
    if dtype.hasobject:
        raise NpyError(
            "It holds Python objects, which could run code when they are loaded. Save "
            "it as an array of numbers, or of texts with dtype=str."
        )
    if len(shape) > MOST_DIMENSIONS:
        raise NpyError(f"An array cannot have {len(shape):,} dimensions here.")
    if not all(type(n) is int and 0 <= n <= _LARGEST for n in shape):
        raise NpyError(f"An array cannot have the shape {shape}.")
    start = described.tell()
    beyond = size - start - math.prod(shape) * dtype.itemsize
    if beyond < 0:
        raise _wrong_size(shape, dtype, size - start)
    return NpyHeader(shape, in_columns, dtype, start, beyond)


def _wrong_size(shape: tuple[int, ...], dtype: "np.dtype[Any]", given: int) -> NpyError:
    needed = math.prod(shape) * dtype.itemsize
    return NpyError(
        f"An array of the shape {shape} takes {needed:,} bytes. Got {given:,} instead."
    )


def _header(file: BinaryIO) -> tuple[tuple[int, ...], bool, "np.dtype[Any]"]:
    try:
        version = np.lib.format.read_magic(file)
    except ValueError as error:
        raise NpyError("It is not an array in NumPy's format.") from error
    if version not in _READERS:
        raise NpyError(
            f"It is in version {version[0]}.{version[1]} of NumPy's format; versions "
            "1.0 to 3.0 can be read."
        )
    try:
        with warnings.catch_warnings():
            # Those that Python 2 wrote are mended, with a warning to who wrote them.
            # Types with old names are warned of as well.
            warnings.simplefilter("ignore")
            return _READERS[version](file, max_header_size=LARGEST_HEADER)
    except Exception as error:
        # The header is read as a Python literal, and its type is whatever NumPy makes
        # of it: there is no list of what that may raise.
        short = "EOF" in str(error)
        problem = "is cut short" if short else "cannot be read"
        raise NpyError(f"The description of the array {problem}.") from error
