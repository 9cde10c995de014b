"""Safetensors files: a description in JSON, then the numbers of all tensors.

The format is that of https://huggingface.co/docs/safetensors. Read here rather than by
its library, whose NumPy half does not know bfloat16.
"""

import math
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np
from numpy.typing import NDArray

from attnviewer.io.errors import FileError, FileFormatError, system_reason
from attnviewer.io.matrices.arrays import as_floats, check_shape
from attnviewer.io.matrices.matrices import Matrices

if TYPE_CHECKING:
    from attnviewer.compute import Array

LARGEST_HEADER = 100 * 2**20
"""Bytes that the description may have, as in the reference library."""
BFLOAT16 = "BF16"
_TYPES = {
    **{"F64": "<f8", "F32": "<f4", "F16": "<f2", BFLOAT16: "<u2"},
    **{"I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "i1", "BOOL": "?"},
    **{"U64": "<u8", "U32": "<u4", "U16": "<u2", "U8": "u1"},
}


class _Tensor(msgspec.Struct):
    dtype: str
    shape: tuple[int, ...]
    data_offsets: tuple[int, int]


def read_safetensors_file(path: Path, limit: int) -> Matrices:
    """Return the tensors of a file by name, which stay on the disk where they can.

    Parameters
    ----------
    path : Path
        The file.
    limit : int
        How many bytes those may have together that must be turned into other numbers.

    Raises
    ------
    FileError
        If it cannot be read, or (`FileFormatError`) used.
    """
    try:
        size = path.stat().st_size
        tensors, start = _described(path, size)
        _check_places(path, tensors, size - start)
        data = np.memmap(path, np.uint8, "r") if size else np.zeros(0, np.uint8)
    except OSError as error:
        raise FileError(path, system_reason(error)) from error
    values: dict[str, Array] = {}
    notices: list[str] = []
    for name, tensor in tensors.items():
        first, last = (start + offset for offset in tensor.data_offsets)
        try:
            check_shape(tensor.shape)
            stored = data[first:last].view(_TYPES[tensor.dtype]).reshape(tensor.shape)
            limit -= 0 if stored.dtype.kind == "f" else 8 * stored.size
            if limit < 0:
                raise ValueError("The numbers that are no floats are too many.")
            values[name] = as_floats(_widened(stored, tensor.dtype), notices, name)
        except ValueError as error:
            raise FileFormatError(path, str(error), name) from None
    if not values:
        raise FileFormatError(path, "There are no tensors in it.")
    return Matrices(values, notices)


def _described(path: Path, size: int) -> tuple[dict[str, _Tensor], int]:
    """Return what the file says of its tensors, and where their numbers begin."""
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if size < 8 or length > min(size - 8, LARGEST_HEADER):
            raise FileFormatError(path, "It is no safetensors file, or was cut short.")
        described = file.read(length)
    try:
        parts = msgspec.json.decode(described, type=dict[str, msgspec.Raw])
        parts.pop("__metadata__", None)
        tensors = {
            name: msgspec.json.decode(part, type=_Tensor)
            for name, part in parts.items()
        }
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        reason = f"The description of its tensors cannot be read: {error}."
        raise FileFormatError(path, reason) from None
    return tensors, 8 + length


def _check_places(path: Path, tensors: dict[str, _Tensor], size: int) -> None:
    """Check that the tensors lie one after the other, and fill the file."""
    end = 0
    for name, tensor in sorted(tensors.items(), key=lambda item: item[1].data_offsets):
        if tensor.dtype not in _TYPES:
            known = ", ".join(_TYPES)
            raise FileFormatError(
                path, f"The type must be one of {known}. Got {tensor.dtype}.", name
            )
        if any(length < 0 for length in tensor.shape):
            reason = f"A tensor cannot have the shape {tensor.shape}."
            raise FileFormatError(path, reason, name)
        first, last = tensor.data_offsets
        needed = math.prod(tensor.shape) * np.dtype(_TYPES[tensor.dtype]).itemsize
        if first != end or last - first != needed:
            raise FileFormatError(
                path,
                f"A tensor of the shape {tensor.shape} in {tensor.dtype} must take the "
                f"{needed:,} bytes from {end:,} on. Got {first:,} to {last:,} instead.",
                name,
            )
        end = last
    if end != size:
        raise FileFormatError(
            path, f"The tensors have {end:,} bytes, and the file {size:,} for them."
        )


def _widened(stored: NDArray[np.generic], dtype: str) -> NDArray[np.generic]:
    """Return bfloat16, which NumPy does not know, as the same numbers in float32."""
    if dtype != BFLOAT16:
        return stored
    return (stored.astype(np.uint32) << 16).view(np.float32)
