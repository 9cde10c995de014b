"""ZIP archives: named parts in one file."""

import io
import shutil
import stat
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, TypeAlias

from attnviewer.io.errors import FileError, FileFormatError, system_reason
from attnviewer.io.reading import check_ordinary

Content: TypeAlias = bytes | Sequence[bytes | memoryview]
"""The content of a part: all of it, or its pieces."""
MOST_PARTS = 1000
_PIECE = 2**20
_DAMAGES = zipfile.BadZipFile, zlib.error, EOFError, ValueError, RuntimeError
"""Exceptions that zipfile raises for damaged archives."""
_EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The earliest date that an archive can hold."""


def archive(
    parts: Iterable[tuple[str, Content]], *, compressed: bool = False
) -> Iterator[bytes]:
    """Yield the bytes of an archive, piece by piece.

    It holds no times or paths: the same parts give the same bytes.

    Parameters
    ----------
    parts : iterable of (str, bytes or sequence of bytes)
        Their names and contents, whole or in pieces, taken one part at a time.
    compressed : bool
        Whether they are compressed.
    """
    sink = _Sink()
    with zipfile.ZipFile(sink, "w") as file:
        for name, content in parts:
            pieces = [content] if isinstance(content, bytes) else content
            part = zipfile.ZipInfo(name, _EARLIEST)
            if compressed:
                part.compress_type = zipfile.ZIP_DEFLATED
            part.create_system = 3  # the same on every system
            part.external_attr = 0o644 << 16
            part.file_size = sum(map(len, pieces))
            with file.open(part, "w") as written:
                for piece in pieces:
                    written.write(piece)
                    yield from sink.taken()
    yield from sink.taken()


class _Sink:
    """Buffers what is written until it is taken."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def write(self, piece: bytes | memoryview) -> int:
        self._pieces.append(bytes(piece))
        return len(piece)

    def flush(self) -> None:
        pass

    def close(self) -> None:
        pass

    def taken(self) -> list[bytes]:
        pieces, self._pieces = self._pieces, []
        return pieces


def read_archive(
    path: Path, limit: int, *, compressed: bool = False
) -> dict[str, bytes]:
    """Return the parts of an archive by name, in its order.

    The archive's directory is checked before any part is read.

    Parameters
    ----------
    path : Path
        The file.
    limit : int
        Maximum total size of the parts, in bytes.
    compressed : bool
        Whether they may be compressed.

    Raises
    ------
    FileError
        If it cannot be read, or (`FileFormatError`) is damaged or not an archive, or
        its parts are too large.
    """
    check_ordinary(path)
    try:
        with path.open("rb") as file:
            return _parts(path, file, limit, compressed=compressed)
    except OSError as error:
        raise FileError(path, system_reason(error)) from error


def _parts(
    path: Path, file: BinaryIO, limit: int, *, compressed: bool
) -> dict[str, bytes]:
    damaged, named = "file", ""
    try:
        with zipfile.ZipFile(file) as archived:
            infos = archived.infolist()
            _check(path, infos, limit, compressed=compressed)
            parts = {}
            for info in infos:
                damaged, named = "part", f" ({info.filename})"
                parts[info.filename] = _unpacked(archived, info)
            return parts
    except _DAMAGES as error:
        reason = f"The {damaged} is damaged: {_damage(error)}{named}"
        raise FileFormatError(path, reason) from error


def _unpacked(archived: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    # Read at once, a part could unpack to far more than its stated size.
    content = io.BytesIO()
    with archived.open(info) as part:
        shutil.copyfileobj(part, content, _PIECE)
    if content.tell() != info.file_size:
        raise zipfile.BadZipFile("The part is shorter than it says.")
    return content.getvalue()


def _damage(error: Exception) -> str:
    if "CRC" in str(error):
        return "its checksum is another one."
    return "it is no ZIP archive, or one that was cut short or changed."


def _check(
    path: Path, infos: list[zipfile.ZipInfo], limit: int, *, compressed: bool
) -> None:
    if len(infos) > MOST_PARTS:
        reason = f"It may have {MOST_PARTS:,} parts; it has {len(infos):,}."
        raise FileFormatError(path, reason)
    names = [info.filename for info in infos]
    if len(set(names)) != len(names):
        raise FileFormatError(path, "Two of its parts have the same name.")
    for info in infos:
        if info.flag_bits & 1:
            reason = "The part is encrypted, which cannot be read."
            raise FileFormatError(path, reason, info.filename)
        if stat.S_ISLNK(info.external_attr >> 16):
            reason = "The part is a symbolic link, which cannot be read."
            raise FileFormatError(path, reason, info.filename)
        stored = info.compress_type == zipfile.ZIP_STORED
        if compressed and not (stored or info.compress_type == zipfile.ZIP_DEFLATED):
            reason = "The part is compressed in a way that cannot be read."
            raise FileFormatError(path, reason, info.filename)
        if not compressed and not (stored and info.file_size == info.compress_size):
            reason = "The part must not be compressed."
            raise FileFormatError(path, reason, info.filename)
    size = sum(info.file_size for info in infos)
    # Stored parts can exceed the file only by overlapping.
    most = limit if compressed else min(limit, path.stat().st_size)
    if size > most:
        raise FileFormatError(
            path, f"Its parts may have {most:,} bytes together; they say {size:,}."
        )
