"""Safetensors files: a description in JSON, then the numbers of all tensors.

The format is that of https://huggingface.co/docs/safetensors. Read here rather than by
its library, whose NumPy half does not know bfloat16.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated
from weakref import WeakValueDictionary

import msgspec
import numpy as np
from numpy.typing import NDArray

from attnviewer.io.errors import FileError, FileFormatError, system_reason
from attnviewer.io.reading import check_ordinary
from attnviewer.io.stamp import Stamp
from attnviewer.io.strict_json import SchemaError, decode, decode_entries, shortened

MOST_TENSORS = 2**18
LARGEST_HEADER = 100 * 2**20
"""Bytes that the description may have, as in the reference library."""
SAMPLES, SAMPLE = 64, 512
"""How many pieces of a file, and of how many bytes, `TensorFile.sampled` reads."""
BFLOAT16 = "BF16"
_TYPES = {
    **{"F64": "<f8", "F32": "<f4", "F16": "<f2", BFLOAT16: "<u2"},
    **{"I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "i1", "BOOL": "?"},
    **{"U64": "<u8", "U32": "<u4", "U16": "<u2", "U8": "u1"},
}


_MAPPED: "WeakValueDictionary[tuple[Path, Stamp | None], NDArray[np.uint8]]" = (
    WeakValueDictionary()
)
"""The bytes of files that are mapped now."""


@dataclass(frozen=True, slots=True)
class StoredTensor:
    """What a file says of a tensor.

    Parameters
    ----------
    dtype : str
        The format's name of its type, which may be one that NumPy does not know.
    shape : tuple of int
        Its shape.
    first, last : int
        Its bytes in the file, without the one at `last`.
    """

    dtype: str
    shape: tuple[int, ...]
    first: int
    last: int

    def shown(self, data: NDArray[np.uint8]) -> NDArray[np.generic]:
        """Return its numbers as a view of all bytes of the file.

        Those in bfloat16 come as their bits, for `widened`.

        Raises
        ------
        ValueError
            If the type is one that cannot be read.
        """
        if self.dtype not in _TYPES:
            known = ", ".join(_TYPES)
            raise ValueError(
                f"The type must be one of {known}. Got {shortened(self.dtype)}."
            )
        return data[self.first : self.last].view(_TYPES[self.dtype]).reshape(self.shape)


@dataclass(frozen=True, slots=True)
class TensorFile:
    """What a file holds, found to fit its length.

    Parameters
    ----------
    path : Path
        The file.
    tensors : mapping of str to StoredTensor
        Its tensors by name.
    size : int
        Its bytes.
    stamp : Stamp or None
        The file as it was when it was described.
    """

    path: Path
    tensors: Mapping[str, StoredTensor]
    size: int
    stamp: Stamp | None

    def mapped(self) -> NDArray[np.uint8]:
        """Return all bytes of the file, read-only, read as they are looked at.

        As long as they are in use they are mapped into memory once, however often the
        file was described.

        A file that is cut short while they are still in use ends the program on most
        systems. One that was changed before, or replaced at any time, does not.

        Raises
        ------
        FileError
            If it is no longer the file that was described, or cannot be read.
        """
        self.check_unchanged()
        key = self.path.absolute(), self.stamp
        known = _MAPPED.get(key)
        if known is not None:
            return known
        try:
            mapped = np.memmap(self.path, np.uint8, "r", shape=(self.size,))
        except ValueError:  # cut short at this very moment
            raise self._changed() from None
        except OSError as error:
            raise FileError(self.path, system_reason(error)) from error
        # One that got there first, in another thread, is as good.
        return _MAPPED.setdefault(key, np.asarray(mapped))

    def rows(self, name: str, indices: NDArray[np.intp]) -> NDArray[np.generic]:
        """Return a copy of some rows of a tensor; no others are read.

        Those in bfloat16 come as their bits, for `widened`.

        Parameters
        ----------
        name : str
            The tensor, of a type that can be read. One number is a single row.
        indices : ndarray, shape (n,)
            The rows, which are there.

        Raises
        ------
        FileError
            As from `mapped`.
        """
        tensor = self.tensors[name]
        shape = tensor.shape[1:]
        rows = np.empty((len(indices), math.prod(shape)), _TYPES[tensor.dtype])
        width = rows.dtype.itemsize * rows.shape[1]
        self.check_unchanged()
        try:
            with self.path.open("rb", buffering=0) as file:
                for row, index in zip(rows, indices.tolist(), strict=True):
                    file.seek(tensor.first + index * width)
                    # Fewer if it was cut short at this very moment.
                    if file.readinto(row.data) != width:
                        raise self._changed()
        except OSError as error:
            raise FileError(self.path, system_reason(error)) from error
        return rows.reshape(len(rows), *shape)

    def sampled(self) -> bytes:
        """Return some of the file's bytes, from all over it.

        Raises
        ------
        FileError
            As from `mapped`.
        """
        self.check_unchanged()
        try:
            with self.path.open("rb", buffering=0) as file:
                pieces = []
                for place in range(SAMPLES):
                    file.seek(self.size * place // SAMPLES)
                    pieces.append(file.read(SAMPLE))
        except OSError as error:
            raise FileError(self.path, system_reason(error)) from error
        return b"".join(pieces)

    def check_unchanged(self) -> None:
        """Check that it is still the file that was described.

        Raises
        ------
        FileError
            If it is not.
        """
        if Stamp.of(self.path) != self.stamp:
            raise self._changed()

    def _changed(self) -> FileError:
        return FileError(
            self.path, "It has been changed or removed since. Open it again."
        )


def describe_tensors(path: Path) -> TensorFile:
    """Return what a file holds; only its description is read.

    Parameters
    ----------
    path : Path
        The file.

    Raises
    ------
    FileError
        If it cannot be read, or (`FileFormatError`) is no such file, or its tensors do
        not lie one after the other up to its end.
    """
    check_ordinary(path)
    try:
        stamp, size = Stamp.of(path), path.stat().st_size
        described, start = _described(path, size)
    except OSError as error:
        raise FileError(path, system_reason(error)) from error
    _check_places(path, described, size - start)
    tensors = {}
    for name, tensor in described.items():
        first, last = (start + offset for offset in tensor.data_offsets)
        tensors[name] = StoredTensor(tensor.dtype, tensor.shape, first, last)
    return TensorFile(path, tensors, size, stamp)


def widened(bits: NDArray[np.generic]) -> NDArray[np.float32]:
    """Return numbers in bfloat16, given as their bits, as floats of the same value."""
    upper = bits.astype(np.uint32)
    upper <<= 16
    return upper.view(np.float32)


_Size = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]


class _Tensor(msgspec.Struct):
    dtype: str
    shape: Annotated[tuple[_Size, ...], msgspec.Meta(max_length=32)]
    data_offsets: tuple[_Size, _Size]


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
        first, last = tensor.data_offsets
        needed = max(last - first, 0)
        if tensor.dtype in _TYPES:  # what others take is for their readers to know
            needed = math.prod(tensor.shape) * np.dtype(_TYPES[tensor.dtype]).itemsize
        if first != end or last - first != needed:
            raise FileFormatError(
                path,
                f"A tensor of the shape {tensor.shape} in {shortened(tensor.dtype)} "
                f"must take the {needed:,} bytes from {end:,} on. "
                f"Got {first:,} to {last:,} instead.",
                shortened(name),
            )
        end = last
    if end != size:
        raise FileFormatError(
            path, f"The tensors have {end:,} bytes, and the file {size:,} for them."
        )
