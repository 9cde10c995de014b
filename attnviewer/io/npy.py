"""NumPy's file format for one array, without pickles."""

import io
import math
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO, Literal

import numpy as np
from numpy.typing import NDArray

MAGIC = b"\x93NUMPY"
"""The magic bytes of the format."""
LARGEST_HEADER = 2**16
"""Maximum size of an array's header, in bytes."""
MOST_DIMENSIONS = 32
PIECE = 2**20
"""Bytes that are written at once, so that other threads do not wait long."""
_LARGEST = 2**63 - 1
_READERS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
    # Version 3 differs in the encoding of field names, which plain arrays do not have.
    (3, 0): np.lib.format.read_array_header_2_0,
}


class NpyError(ValueError):
    """Bytes that are not a usable array in NumPy's format."""


@dataclass(frozen=True, slots=True)
class NpyHeader:
    """The header of a file.

    Parameters
    ----------
    shape : tuple of int
        Its shape.
    in_columns : bool
        Whether the numbers are stored in column-major order.
    dtype : dtype
        Their type, never Python objects.
    start : int
        The offset of the numbers, in bytes.
    beyond : int
        The number of bytes after them.
    """

    shape: tuple[int, ...]
    in_columns: bool
    dtype: "np.dtype[Any]"
    start: int
    beyond: int

    @property
    def order(self) -> Literal["C", "F"]:
        """NumPy's letter for the memory order."""
        return "F" if self.in_columns else "C"

    def shown(self, data: bytes) -> NDArray[Any]:
        """Return the array as a view of the file's bytes.

        Raises
        ------
        NpyError
            If there can be no array of the shape.
        """
        count = math.prod(self.shape)
        try:
            flat = np.frombuffer(data, self.dtype, count, self.start)
            return flat.reshape(self.shape, order=self.order)
        except (ValueError, OverflowError) as error:
            raise NpyError(f"There is no array of the shape {self.shape}.") from error


def npy_pieces(array: NDArray[Any]) -> list[bytes | memoryview]:
    """Return an array in NumPy's format in pieces, without copying it.

    Parameters
    ----------
    array : ndarray
        Numbers, booleans or strings; the pieces are views, unless it is not contiguous.
    """
    array = np.asarray(array, order="C")  # leaves a 0-d array as it is
    return [npy_header(array.shape, array.dtype), *number_pieces(array)]


def npy_header(shape: tuple[int, ...], dtype: "np.dtype[Any]") -> bytes:
    """Return what stands before the numbers of an array in row-major order."""
    header = io.BytesIO()
    described = {
        "shape": shape,
        "fortran_order": False,
        "descr": np.lib.format.dtype_to_descr(dtype),
    }
    np.lib.format.write_array_header_1_0(header, described)
    return header.getvalue()


def number_pieces(array: NDArray[Any]) -> Iterator[memoryview]:
    """Yield the numbers of an array in row-major order, as views if they are so."""
    flat = np.asarray(array, order="C").reshape(-1).view(np.uint8).data
    for start in range(0, len(flat), PIECE):
        yield flat[start : start + PIECE]


def read_npy(data: bytes) -> NDArray[Any]:
    """Return the array in some bytes, as a view of them.

    Parameters
    ----------
    data : bytes
        The whole file.

    Raises
    ------
    NpyError
        If they are anything else, with the reason.
    """
    header = read_npy_header(io.BytesIO(data), len(data))
    if header.beyond:
        raise _wrong_size(header.shape, header.dtype, len(data) - header.start)
    return header.shown(data)


def read_npy_header(file: BinaryIO, size: int) -> NpyHeader:
    """Return the header of a file, checked against the file's size.

    Nothing is allocated for the array, and nothing is unpickled.

    Parameters
    ----------
    file : binary file
        At its start.
    size : int
        The file's size in bytes.

    Raises
    ------
    NpyError
        If it is not such a file, with the reason.
    """
    described = io.BytesIO(file.read(LARGEST_HEADER))  # whatever its stated length
    shape, in_columns, dtype = _header(described)
    if dtype.hasobject:
        raise NpyError(
            "It holds Python objects, which could run code when they are loaded. Save "
            "it as an array of numbers, or of texts with dtype=str."
        )
    if dtype.shape:
        raise NpyError(
            f"Its elements must be numbers. Got arrays of the shape {dtype.shape} "
            "instead."
        )
    if len(shape) > MOST_DIMENSIONS:
        raise NpyError(f"An array cannot have {len(shape):,} dimensions here.")
    if not all(type(n) is int and 0 <= n <= _LARGEST for n in shape):
        # Not shown: a number in it may have more digits than Python converts.
        raise NpyError("Its shape must be whole numbers from 0 to 2⁶³ − 1.")
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
            # NumPy warns of headers written by Python 2, and of types with old names.
            warnings.simplefilter("ignore")
            return _READERS[version](file, max_header_size=LARGEST_HEADER)
    except Exception as error:
        # NumPy parses the header as a Python literal and makes a dtype of it, which may
        # raise anything.
        short = "EOF" in str(error)
        problem = "is cut short" if short else "cannot be read"
        raise NpyError(f"The description of the array {problem}.") from error
