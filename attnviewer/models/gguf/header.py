"""The header of a GGUF file: its metadata, and the description of its tensors.

See https://github.com/ggml-org/ggml/blob/master/docs/gguf.md for the format. The reader
of the package ``gguf`` is not used, as it takes the sizes in a file on trust.
"""

import math
from dataclasses import dataclass
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import BinaryIO

from attnviewer.io.errors import FileError, FileFormatError, system_reason
from attnviewer.io.reading import check_ordinary
from attnviewer.io.safetensors import StoredTensor, TensorFile
from attnviewer.io.stamp import Stamp
from attnviewer.io.strict_json import shortened
from attnviewer.models.gguf.fields import FieldReader, Value
from attnviewer.models.gguf.quantisation import block_of

_MAGIC = b"GGUF"
_VERSIONS = (2, 3)
_MOST_TENSORS = _MOST_ENTRIES = 2**16
_MOST_DIMENSIONS = 4
_SMALLEST, _SMALLEST_ENTRY, _SMALLEST_TENSOR = 24, 13, 24
"""The fewest bytes of a file, and of the description of a setting and a tensor."""
_ALIGNMENT = "general.alignment"


@dataclass(frozen=True, slots=True)
class Header:
    """The header of a GGUF file, before its numbers.

    Parameters
    ----------
    file : TensorFile
        Its tensors, by the names and with the shapes of GGUF's rows and columns.
    metadata : mapping of str to Value
        Its settings.
    """

    file: TensorFile
    metadata: dict[str, Value]


def read_header(path: Path) -> Header:
    """Return the header of a file, checked against its size; no weights are read.

    Raises
    ------
    FileError
        If it cannot be read, or (`FileFormatError`) is no such file, or was cut short,
        or has tensors of an unknown type.
    """
    check_ordinary(path)
    try:
        stamp, size = Stamp.of(path), path.stat().st_size
        with path.open("rb") as file:
            if size < _SMALLEST:
                raise FileFormatError(path, "It is no GGUF file, or was cut short.")
            with _mapped(path, file, size) as data:
                reader = FieldReader(path, data)
                n_tensors, n_entries = _counts(reader)
                metadata = _metadata(reader, n_entries)
                described = [_tensor(reader) for _ in range(n_tensors)]
    except OSError as error:
        raise FileError(path, system_reason(error)) from error
    start = _aligned(reader, metadata)
    tensors: dict[str, StoredTensor] = {}
    for name, shape, number, offset in described:
        if name in tensors:
            raise FileFormatError(path, "It has two tensors of this name.", name)
        tensors[name] = _stored(reader, name, shape, number, start + offset)
    return Header(TensorFile(path, tensors, size, stamp), metadata)


def _mapped(path: Path, file: BinaryIO, size: int) -> mmap:
    try:
        return mmap(file.fileno(), size, access=ACCESS_READ)
    except ValueError:  # truncated at this very moment
        raise FileError(path, "Another program is writing to it.") from None


def _counts(reader: FieldReader) -> tuple[int, int]:
    if reader.take(len(_MAGIC)) != _MAGIC:
        raise FileFormatError(reader.path, "It is no GGUF file.")
    version = reader.integer("<I")
    if version not in _VERSIONS:
        raise FileFormatError(
            reader.path,
            "Its version must be 2 or 3, with the lowest byte first. "
            f"Got {version} instead.",
        )
    n_tensors, n_entries = reader.integer("<Q"), reader.integer("<Q")
    for count, most, smallest, what in (
        (n_tensors, _MOST_TENSORS, _SMALLEST_TENSOR, "tensors"),
        (n_entries, _MOST_ENTRIES, _SMALLEST_ENTRY, "settings"),
    ):
        if count > most:
            raise FileFormatError(reader.path, f"It has more than {most:,} {what}.")
        if count * smallest > reader.left:
            raise reader.cut_short()
    return n_tensors, n_entries


def _metadata(reader: FieldReader, count: int) -> dict[str, Value]:
    metadata: dict[str, Value] = {}
    for _ in range(count):
        key = reader.name()
        if key in metadata:
            raise FileFormatError(reader.path, "It is set twice.", shortened(key))
        metadata[key] = reader.value(key)
    return metadata


def _tensor(reader: FieldReader) -> tuple[str, tuple[int, ...], int, int]:
    """Return the name, shape, number of the type, and offset of a tensor."""
    name = reader.name()
    n_dimensions = reader.integer("<I")
    if n_dimensions > _MOST_DIMENSIONS:
        raise FileFormatError(
            reader.path,
            f"A tensor has at most {_MOST_DIMENSIONS} dimensions. "
            f"Got {n_dimensions} instead.",
            shortened(name),
        )
    # The columns come first.
    shape = tuple(reader.integer("<Q") for _ in range(n_dimensions))[::-1]
    return name, shape, reader.integer("<I"), reader.integer("<Q")


def _aligned(reader: FieldReader, metadata: dict[str, Value]) -> int:
    """Return where the numbers start."""
    alignment = metadata.get(_ALIGNMENT, 32)
    if not isinstance(alignment, int) or alignment < 1:
        raise FileFormatError(
            reader.path, "It must be a positive whole number.", _ALIGNMENT
        )
    return -(-reader.at // alignment) * alignment


def _stored(
    reader: FieldReader, name: str, shape: tuple[int, ...], number: int, first: int
) -> StoredTensor:
    block = block_of(reader.path, shortened(name), number)
    columns = shape[-1] if shape else 1
    if columns % block.n_numbers:
        raise FileFormatError(
            reader.path,
            f"The columns must be a multiple of {block.n_numbers} in {block.dtype}. "
            f"Got {columns:,} instead.",
            shortened(name),
        )
    last = first + math.prod(shape) // block.n_numbers * block.n_bytes
    if last > reader.size:
        raise FileFormatError(
            reader.path,
            f"A tensor of the shape {shape} in {block.dtype} takes the bytes from "
            f"{first:,} to {last:,}, and the file has only {reader.size:,}: it was cut "
            "short or is damaged.",
            shortened(name),
        )
    return StoredTensor(block.dtype, shape, first, last)
