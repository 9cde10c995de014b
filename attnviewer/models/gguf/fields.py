"""Reading of the values in the header of a GGUF file, never beyond its end."""

import struct
from mmap import mmap
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from attnviewer.io.errors import FileFormatError
from attnviewer.io.strict_json import shortened

Value = bool | int | float | str | list[str] | NDArray[np.generic]
"""A setting: a scalar, a list of texts, or an array of numbers."""
LARGEST_HEADER = 128 * 2**20
"""Maximum size of the header in bytes; vocabularies take up to 15 million."""
_LONGEST_NAME = 2**16 - 1
_MOST_TEXTS = 2**20
_NUMBERS = {
    **{0: "<u1", 1: "<i1", 2: "<u2", 3: "<i2", 4: "<u4", 5: "<i4", 6: "<f4"},
    **{7: "?", 10: "<u8", 11: "<i8", 12: "<f8"},
}
_SINGLE, _TEXT, _ARRAY = 6, 8, 9
"""The numbers of the types of values."""


class FieldReader:
    """Reads values one after the other.

    Parameters
    ----------
    path : Path
        The file, for messages.
    data : mmap
        Its bytes.
    """

    def __init__(self, path: Path, data: mmap) -> None:
        self.path = path
        self.size = len(data)
        self.at = 0
        self._data = data
        self._texts_left = _MOST_TEXTS

    @property
    def left(self) -> int:
        """The number of bytes that the header may still have."""
        return min(self.size, LARGEST_HEADER) - self.at

    def cut_short(self) -> FileFormatError:
        """Return the error of a file that ends within its header."""
        if self.size > LARGEST_HEADER:
            limit = LARGEST_HEADER // 2**20
            return FileFormatError(self.path, f"Its header exceeds {limit} MiB.")
        return FileFormatError(self.path, "Its header was cut short or is damaged.")

    def take(self, count: int) -> bytes:
        """Return the next bytes.

        Raises
        ------
        FileFormatError
            If the file, or what a header may take of it, has fewer.
        """
        if count > self.left:
            raise self.cut_short()
        self.at += count
        return self._data[self.at - count : self.at]

    def integer(self, form: str) -> int:
        """Return a whole number in a form of `struct`."""
        (number,) = struct.unpack(form, self.take(struct.calcsize(form)))
        return int(number)

    def name(self) -> str:
        """Return the name of a setting or a tensor."""
        length = self.integer("<Q")
        if length > _LONGEST_NAME:
            raise self.cut_short()
        try:
            return self.take(length).decode()
        except UnicodeDecodeError:
            raise FileFormatError(self.path, "A name is not in UTF-8.") from None

    def value(self, key: str) -> Value:
        """Return the value of a setting.

        Parameters
        ----------
        key : str
            Its name, for messages.

        Raises
        ------
        FileFormatError
            If it is of an unknown type, or the file ends before.
        """
        kind = self.integer("<I")
        if kind == _TEXT:
            return self._text()
        if kind == _ARRAY:
            return self._array(key)
        number = self._numbers(key, kind, 1)[0]
        # 1e-6 in single precision is meant as 1e-6.
        return float(str(number)) if kind == _SINGLE else scalar(number)

    def _text(self) -> str:
        return self.take(self.integer("<Q")).decode(errors="replace")

    def _array(self, key: str) -> Value:
        kind, count = self.integer("<I"), self.integer("<Q")
        if kind != _TEXT:
            return self._numbers(key, kind, count)
        self._texts_left -= count
        if count * 8 > self.left:
            raise self.cut_short()
        if self._texts_left < 0:
            raise FileFormatError(
                self.path, f"It has more than {_MOST_TEXTS:,} texts.", shortened(key)
            )
        return self._texts(count)

    def _texts(self, count: int) -> list[str]:
        """Return texts as `_text` does, but fast: vocabularies have 10⁵ of them."""
        length_of, data = struct.Struct("<Q").unpack_from, self._data
        at, end = self.at, self.at + self.left
        texts = []
        for _ in range(count):
            first = at + 8
            if first > end:
                raise self.cut_short()
            at = first + length_of(data, at)[0]
            if at > end:
                raise self.cut_short()
            texts.append(data[first:at].decode(errors="replace"))
        self.at = at
        return texts

    def _numbers(self, key: str, kind: int, count: int) -> NDArray[np.generic]:
        if kind not in _NUMBERS:
            raise FileFormatError(
                self.path,
                f"Values of the type number {kind} are not read.",
                shortened(key),
            )
        dtype = np.dtype(_NUMBERS[kind])
        return np.frombuffer(self.take(dtype.itemsize * count), dtype)


def scalar(number: np.generic) -> bool | int | float:
    """Return a number of NumPy as one of Python."""
    value: bool | int | float = number.item()
    return value
