"""ZIP archives: named parts in one file."""

import io
import shutil
import stat
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from attnviewer.io.errors import FileError, FileFormatError, system_reason
from attnviewer.io.reading import check_ordinary

MOST_PARTS = 1000
LARGEST_DIRECTORY = 2**20
"""Maximum size of an archive's list of parts, in bytes."""
_PIECE = 2**20
_DAMAGES = zipfile.BadZipFile, zlib.error, EOFError, ValueError, RuntimeError
"""Exceptions that zipfile raises for damaged archives."""
_EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The earliest date that an archive can hold."""


@dataclass(frozen=True, slots=True, eq=False)
class Streamed:
    """The content of a part that is never held as a whole.

    Parameters
    ----------
    size : int
        How many bytes it has.
    pieces : iterable of bytes
        The bytes, taken one piece at a time.
    """

    size: int
    pieces: Iterable[bytes | memoryview]


Content: TypeAlias = bytes | Sequence[bytes | memoryview] | Streamed
"""The content of a part: all of it, or its pieces."""


def archive(
    parts: Iterable[tuple[str, Content]], *, compressed: bool = False
) -> Iterator[bytes]:
    """Yield the bytes of an archive, piece by piece.

    It holds no times or paths: the same parts give the same bytes.

    Parameters
    ----------
    parts : iterable of (str, bytes, sequence of bytes or Streamed)
        Their names and contents, whole or in pieces, taken one part at a time.
    compressed : bool
        Whether they are compressed.
    """
    sink = _Sink()
    with zipfile.ZipFile(sink, "w") as file:
        for name, content in parts:
            streamed = _streamed(content)
            part = zipfile.ZipInfo(name, _EARLIEST)
            if compressed:
                part.compress_type = zipfile.ZIP_DEFLATED
            part.create_system = 3  # the same on every system
            part.external_attr = 0o644 << 16
            part.file_size = streamed.size
            with file.open(part, "w") as written:
                for piece in streamed.pieces:
                    written.write(piece)
                    yield from sink.taken()
    yield from sink.taken()


def _streamed(content: Content) -> Streamed:
    if isinstance(content, Streamed):
        return content
    pieces = [content] if isinstance(content, bytes) else content
    return Streamed(sum(map(len, pieces)), pieces)


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


def entry_names(path: Path) -> list[str]:
    """Return the names of the parts of an archive, in its order.

    Parameters
    ----------
    path : Path
        The file.

    Raises
    ------
    FileError
        If it cannot be read, or (`FileFormatError`) is damaged or not an archive, or
        its list of parts is too large.
    """
    with _opened(path) as archived:
        return archived.namelist()


def read_archive(
    path: Path, limit: int, *, compressed: bool = False
) -> dict[str, bytes]:
    """Return the parts of an archive by name, in its order.

    The size of its list of parts is checked before the list is read, and the list
    before any part is.

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
        its parts or their list are too large.
    """
    with _opened(path) as archived:
        infos = archived.infolist()
        _check(path, infos, limit, compressed=compressed)
        return {info.filename: _unpacked(path, archived, info) for info in infos}


class _Bounded(io.BufferedReader):
    """A file whose list of parts is refused where it is too large.

    ZipFile reads the whole list at once, of whatever size the file states.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path.open("rb", buffering=0))
        self._path = path

    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and size > LARGEST_DIRECTORY:
            raise FileFormatError(
                self._path,
                f"Its list of parts may have {LARGEST_DIRECTORY:,} bytes; it says "
                f"{size:,}.",
            )
        return super().read(size)


@contextmanager
def _opened(path: Path) -> Iterator[zipfile.ZipFile]:
    """Open an archive, whose list of parts is then read."""
    check_ordinary(path)
    try:
        with _Bounded(path) as file:
            try:
                archived = zipfile.ZipFile(file)
            except _DAMAGES as error:
                reason = f"The file is damaged: {_damage(error)}"
                raise FileFormatError(path, reason) from error
            yield archived
    except OSError as error:
        raise FileError(path, system_reason(error)) from error


def _unpacked(path: Path, archived: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    # Read at once, a part could unpack to far more than its stated size.
    content = io.BytesIO()
    try:
        with archived.open(info) as part:
            shutil.copyfileobj(part, content, _PIECE)
        if content.tell() != info.file_size:
            raise zipfile.BadZipFile("The part is shorter than it says.")
    except _DAMAGES as error:
        reason = f"The part is damaged: {_damage(error)} ({info.filename})"
        raise FileFormatError(path, reason) from error
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
