"""Detection of a text's encoding."""

import codecs
import io
import re
from pathlib import Path
from typing import TextIO

from attnviewer.io.errors import FileFormatError

_PIECE = 2**20
_SAMPLE = 4096
_OTHERS = {
    b"\x89PNG": "a PNG image",
    b"\xff\xd8\xff": "a JPEG image",
    b"GIF87a": "a GIF image",
    b"GIF89a": "a GIF image",
    b"%PDF-": "a PDF document",
    b"{\\rtf": "a document of a word processor",
    b"\x1f\x8b": "compressed with gzip; unpack it first",
    b"BZh91AY&SY": "compressed with bzip2; unpack it first",
    b"\xfd7zXZ": "compressed with xz; unpack it first",
    b"\x28\xb5\x2f\xfd": "compressed with zstd; unpack it first",
    b"PK\x03\x04": "a ZIP archive, such as an Excel workbook",
    b"\xd0\xcf\x11\xe0": "a workbook or document of an old Office program",
    b"\x93NUMPY": "an array in NumPy's format; name it .npy",
    b"\x89HDF": "an HDF5 file",
    b"SQLite format 3": "a database",
    b"\x80\x02": "a pickle of Python, which could run code",
    b"\x80\x03": "a pickle of Python, which could run code",
    b"\x80\x04": "a pickle of Python, which could run code",
    b"\x80\x05": "a pickle of Python, which could run code",
}
# A table, too, may begin with tokens such as <s>, [CLS] and {x}.
_MARKUP = re.compile(
    r"\s*(?:(<!doctype html|<html[\s>])|(<\?xml|<svg\s)|(\[\s*[\[\d-]|{\s*[\"}]))",
    re.IGNORECASE,
)
_KINDS = ("an HTML page", "an XML document", "JSON or a list; name it .json")
# The longer mark comes first: that of UTF-32 begins like that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


def open_text(path: Path, data: bytes) -> TextIO:
    """Return bytes as text, with unchanged line ends.

    Supported are UTF-8 and, by its mark or by zeros in every other byte, UTF-16.

    Parameters
    ----------
    path : Path
        The file, for error messages.
    data : bytes
        The whole content.

    Raises
    ------
    FileFormatError
        If it is not text, or in another encoding.
    """
    for start, kind in _OTHERS.items():
        if data.startswith(start):
            raise _no_table(path, kind)
    mark, encoding = _encoding(data)
    if encoding == "utf-32":
        raise FileFormatError(path, "It is in UTF-32. Save it as UTF-8.")
    _check(path, data, mark, encoding)
    head = data[mark : mark + _SAMPLE].decode(encoding, "ignore")
    if markup := _MARKUP.match(head):
        raise _no_table(path, _KINDS[(markup.lastindex or 1) - 1])
    file = io.BytesIO(data)
    file.seek(mark)
    return io.TextIOWrapper(file, encoding, newline="")


def _encoding(data: bytes) -> tuple[int, str]:
    """Return the length of the byte order mark, and the encoding."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return len(mark), encoding
    even, odd = data[:_SAMPLE:2], data[1:_SAMPLE:2]
    if 0 not in even and 0 < len(odd) <= 2 * odd.count(0):
        return 0, "utf-16-le"
    if 0 not in odd and 0 < len(even) <= 2 * even.count(0):
        return 0, "utf-16-be"
    return 0, "utf-8"


def _check(path: Path, data: bytes, start: int, encoding: str) -> None:
    """Decode the text once, piece by piece, to find invalid bytes."""
    decoder = codecs.getincrementaldecoder(encoding)()
    for first in range(start, len(data), _PIECE):
        end = min(first + _PIECE, len(data))
        try:
            text = decoder.decode(data[first:end], end == len(data))
        except UnicodeDecodeError as error:
            if encoding == "utf-8" and _CONTROL.search(data[:_SAMPLE]):
                raise FileFormatError(path, "It is not a text file.") from None
            # The decoder's rest of the previous piece is part of the error's object.
            wrong = end - len(error.object) + error.start
            line = _line(data[start:wrong].decode(encoding, "replace"))
            name = encoding[:6].rstrip("-").upper()
            raise FileFormatError(
                path, f"The text is not {name} there. Save it as UTF-8.", f"line {line}"
            ) from None
        if "\0" in text:
            text = data[start:end].decode(encoding, "replace").partition("\0")[0]
            reason = "It is not a text file: it has a null character in it."
            raise FileFormatError(path, reason, f"line {_line(text)}")


def _line(before: str) -> int:
    """Return the line number at the end of a text."""
    return 1 + before.count("\n") + before.count("\r") - before.count("\r\n")


def _no_table(path: Path, kind: str) -> FileFormatError:
    return FileFormatError(path, f"It is no table of numbers: it is {kind}.")
