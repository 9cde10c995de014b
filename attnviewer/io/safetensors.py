"""Safetensors files: a JSON header, then the numbers of all tensors.

See https://huggingface.co/docs/safetensors for the format. The safetensors library is
not used, as its NumPy part does not support bfloat16.
"""

import math
from collections.abc import Iterable, Mapping
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
"""Maximum size of the header in bytes, as in the reference library."""
SAMPLES, SAMPLE = 64, 512
"""Number and size in bytes of the pieces that `TensorFile.sampled` reads."""
BFLOAT16 = "BF16"
_TYPES = {
    **{"F64": "<f8", "F32": "<f4", "F16": "<f2", BFLOAT16: "<u2"},
    **{"I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "i1", "BOOL": "?"},
    **{"U64": "<u8", "U32": "<u4", "U16": "<u2", "U8": "u1"},
}


_MAPPED: "WeakValueDictionary[tuple[Path, Stamp | None], NDArray[np.uint8]]" = (
    WeakValueDictionary()
)
"""The memory maps of files in use."""


@dataclass(frozen=True, slots=True)
class StoredTensor:
    """A tensor's entry in the header.

    Parameters
    ----------
    dtype : str
        The format's name of its type, possibly one that NumPy lacks.
    shape : tuple of int
        Its shape.
    first, last : int
        The range of its bytes in the file, `last` excluded.
    """

    dtype: str
    shape: tuple[int, ...]
    first: int
    last: int

    def shown(self, data: NDArray[np.uint8]) -> NDArray[np.generic]:
        """Return its numbers as a view of the file's bytes.

        Numbers in bfloat16 are returned as bits, for `widened`.

        Raises
        ------
        ValueError
            If the type is not supported.
        """
        if self.dtype not in _TYPES:
            known = ", ".join(_TYPES)
            raise ValueError(
                f"The type must be one of {known}. Got {shortened(self.dtype)}."
            )
        return data[self.first : self.last].view(_TYPES[self.dtype]).reshape(self.shape)


@dataclass(frozen=True, slots=True)
class TensorFile:
    """The header of a file, checked against its size.

    Parameters
    ----------
    path : Path
        The file.
    tensors : mapping of str to StoredTensor
        Its tensors by name.
    size : int
        Its size in bytes.
    stamp : Stamp or None
        The state of the file when it was described.
    """

    path: Path
    tensors: Mapping[str, StoredTensor]
    size: int
    stamp: Stamp | None

    def mapped(self) -> NDArray[np.uint8]:
        """Return a read-only memory map of the file.

        A file is mapped only once at a time, however often it was described. Truncating
        the file while the map is in use kills the program on most systems. Changing it
        before, or replacing it at any time, does not.

        Raises
        ------
        FileError
            If the file has changed since it was described, or cannot be read.
        """
        self.check_unchanged()
        key = self.path.absolute(), self.stamp
        known = _MAPPED.get(key)
        if known is not None:
            return known
        try:
            mapped = np.memmap(self.path, np.uint8, "r", shape=(self.size,))
        except ValueError:  # truncated at this very moment
            raise self._changed() from None
        except OSError as error:
            raise FileError(self.path, system_reason(error)) from error
        # Another thread's map is as good.
        return _MAPPED.setdefault(key, np.asarray(mapped))

    def rows(self, name: str, indices: NDArray[np.intp]) -> NDArray[np.generic]:
        """Return a copy of some rows of a tensor, reading only those.

        Numbers in bfloat16 are returned as bits, for `widened`.

        Parameters
        ----------
        name : str
            The tensor, of a supported type. A scalar is a single row.
        indices : ndarray, shape (n,)
            The rows, within range.

        Raises
        ------
        FileError
            As `mapped`.
        """
        rows = self._empty_rows(name, len(indices))
        # Rows that are adjacent in the file, such as those of positions, are one part.
        firsts = np.flatnonzero(np.diff(indices, prepend=-2) != 1)
        parts = np.split(rows, firsts[1:])
        self._read_into(name, zip(parts, indices[firsts].tolist(), strict=False))
        return rows.reshape(len(rows), *self.tensors[name].shape[1:])

    def block(self, name: str, rows: slice) -> NDArray[np.generic]:
        """Return a copy of neighbouring rows of a tensor, reading only those.

        Parameters
        ----------
        name : str
            As of `rows`.
        rows : slice
            From where to where, without a step, within range.

        Raises
        ------
        FileError
            As `mapped`.
        """
        block = self._empty_rows(name, rows.stop - rows.start)
        self._read_into(name, [(block, rows.start)])
        return block.reshape(len(block), *self.tensors[name].shape[1:])

    def _empty_rows(self, name: str, count: int) -> NDArray[np.generic]:
        tensor = self.tensors[name]
        return np.empty((count, math.prod(tensor.shape[1:])), _TYPES[tensor.dtype])

    def _read_into(
        self, name: str, parts: Iterable[tuple[NDArray[np.generic], int]]
    ) -> None:
        """Fill arrays with the numbers of a tensor from a row on."""
        tensor = self.tensors[name]
        width = math.prod(tensor.shape[1:]) * np.dtype(_TYPES[tensor.dtype]).itemsize
        self.check_unchanged()
        try:
            with self.path.open("rb", buffering=0) as file:
                for part, row in parts:
                    file.seek(tensor.first + row * width)
                    # Fewer bytes if it was truncated at this very moment.
                    if file.readinto(part.data) != part.nbytes:
                        raise self._changed()
        except OSError as error:
            raise FileError(self.path, system_reason(error)) from error

    def sampled(self) -> bytes:
        """Return a sample of bytes spread over the file.

        Raises
        ------
        FileError
            As `mapped`.
        """
        self.check_unchanged()
        try:
            with self.path.open("rb", buffering=0) as file:
                pieces = []
                for sample in range(SAMPLES):
                    file.seek(self.size * sample // SAMPLES)
                    pieces.append(file.read(SAMPLE))
        except OSError as error:
            raise FileError(self.path, system_reason(error)) from error
        return b"".join(pieces)

    def check_unchanged(self) -> None:
        """Check that the file has not changed since it was described.

        Raises
        ------
        FileError
            If it has.
        """
        if Stamp.of(self.path) != self.stamp:
            raise self._changed()

    def _changed(self) -> FileError:
        return FileError(
            self.path, "It has been changed or removed since. Open it again."
        )


def describe_tensors(path: Path) -> TensorFile:
    """Return the description of a file; only its header is read.

    Parameters
    ----------
    path : Path
        The file.

    Raises
    ------
    FileError
        If it cannot be read, or (`FileFormatError`) is not such a file, or its tensors
        are not contiguous up to its end.
    """
    check_ordinary(path)
    try:
        stamp, size = Stamp.of(path), path.stat().st_size
        described, start = _described(path, size)
    except OSError as error:
        raise FileError(path, system_reason(error)) from error
    _check_offsets(path, described, size - start)
    tensors = {}
    for name, tensor in described.items():
        first, last = (start + offset for offset in tensor.data_offsets)
        tensors[name] = StoredTensor(tensor.dtype, tensor.shape, first, last)
    return TensorFile(path, tensors, size, stamp)


def widened(
    bits: NDArray[np.generic], out: NDArray[np.float32] | None = None
) -> NDArray[np.float32]:
    """Return bfloat16 numbers, given as bits, as floats of the same value.

    With `out`, they are written into it, which is contiguous.
    """
    upper = np.empty(bits.shape, np.uint32) if out is None else out.view(np.uint32)
    upper[...] = bits
    upper <<= 16
    return upper.view(np.float32)


_Size = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]


class _Tensor(msgspec.Struct):
    dtype: str
    shape: Annotated[tuple[_Size, ...], msgspec.Meta(max_length=32)]
    data_offsets: tuple[_Size, _Size]


def _described(path: Path, size: int) -> tuple[dict[str, _Tensor], int]:
    """Return the header's tensors, and the offset of their numbers."""
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
        raise FileFormatError(path, reason, error.location) from None
    return tensors, 8 + length


def _check_offsets(path: Path, tensors: dict[str, _Tensor], size: int) -> None:
    """Check that the tensors are contiguous and fill the file."""
    end = 0
    for name, tensor in sorted(tensors.items(), key=lambda item: item[1].data_offsets):
        first, last = tensor.data_offsets
        needed = max(last - first, 0)
        if tensor.dtype in _TYPES:  # sizes of other types are unknown here
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
