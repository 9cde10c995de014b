"""Safetensors files: a description in JSON, then the numbers of all tensors.

The format is that of https://huggingface.co/docs/safetensors. Read here rather than by
its library, whose NumPy half does not know bfloat16.
"""

import math
from pathlib import Path
from typing import Annotated

import msgspec
import numpy as np

from attnviewer.io.errors import FileError, FileFormatError, system_reason
from attnviewer.io.matrices.gathered import Gathered
from attnviewer.io.matrices.matrices import Matrices
from attnviewer.io.strict_json import SchemaError, decode, decode_entries, shortened

MOST_TENSORS = 2**18
LARGEST_HEADER = 100 * 2**20
"""Bytes that the description may have, as in the reference library."""
BFLOAT16 = "BF16"
_TYPES = {
    **{"F64": "<f8", "F32": "<f4", "F16": "<f2", BFLOAT16: "<u2"},
    **{"I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "i1", "BOOL": "?"},
    **{"U64": "<u8", "U32": "<u4", "U16": "<u2", "U8": "u1"},
}


_Size = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]


class _Tensor(msgspec.Struct):
    dtype: str
    shape: Annotated[tuple[_Size, ...], msgspec.Meta(max_length=32)]
    data_offsets: tuple[_Size, _Size]


def read_safetensors_file(path: Path, limit: int) -> Matrices:
    """Return the tensors of a file by name, which stay on the disk if it is large.

    Parameters
    ----------
    path : Path
        The file.
    limit : int
        How many bytes may be read into memory, and how many those tensors may take
        that must be turned into other numbers.

    Raises
    ------
    FileError
        If it cannot be read, or (`FileFormatError`) used.
    """
    try:
        size = path.stat().st_size
        tensors, start = _described(path, size)
        _check_places(path, tensors, size - start)
        data = (
            np.fromfile(path, np.uint8, size)
            if size <= limit
            else np.asarray(np.memmap(path, np.uint8, "r"))
        )
    except OSError as error:
        raise FileError(path, system_reason(error)) from error
    if len(data) != size:
        raise FileFormatError(path, "Another program is writing to it.")
    gathered = Gathered(path, limit)
    for name, tensor in tensors.items():
        first, last = (start + offset for offset in tensor.data_offsets)
        flat = data[first:last].view(_TYPES[tensor.dtype])
        gathered.add(
            name, flat.reshape(tensor.shape), bfloat16=tensor.dtype == BFLOAT16
        )
    return gathered.matrices()


def _described(path: Path, size: int) -> tuple[dict[str, _Tensor], int]:
    """Return what the file says of its tensors, and where their numbers begin."""
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if size < 8 or length > min(size - 8, LARGEST_HEADER):
            raise FileFormatError(path, "It is no safetensors file, or was cut short.")
        described = file.read(length)
    try:
        if described.count(b"{") > MOST_TENSORS:
            raise SchemaError(f"It has more than {MOST_TENSORS:,} tensors.")
        parts = decode_entries(described)
        parts.pop("__metadata__", None)
        tensors = {name: decode(part, _Tensor) for name, part in parts.items()}
    except SchemaError as error:
        reason = f"The description of its tensors cannot be read. {error}"
        raise FileFormatError(path, reason, error.place) from None
    return tensors, 8 + length


def _check_places(path: Path, tensors: dict[str, _Tensor], size: int) -> None:
    """Check that the tensors lie one after the other, and fill the file."""
    end = 0
    for name, tensor in sorted(tensors.items(), key=lambda item: item[1].data_offsets):
        if tensor.dtype not in _TYPES:
            known = ", ".join(_TYPES)
            reason = f"The type must be one of {known}. Got {shortened(tensor.dtype)}."
            raise FileFormatError(path, reason, shortened(name))
        first, last = tensor.data_offsets
        needed = math.prod(tensor.shape) * np.dtype(_TYPES[tensor.dtype]).itemsize
        if first != end or last - first != needed:
            raise FileFormatError(
                path,
                f"A tensor of the shape {tensor.shape} in {tensor.dtype} must take the "
                f"{needed:,} bytes from {end:,} on. Got {first:,} to {last:,} instead.",
                shortened(name),
            )
        end = last
    if end != size:
        raise FileFormatError(
            path, f"The tensors have {end:,} bytes, and the file {size:,} for them."
        )
