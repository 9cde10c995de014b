"""A session's file: named parts in a ZIP archive, stored as they are.

Nothing is compressed and nothing tells of time or place, so that the same parts give
the same bytes, and no part is longer than the file it comes from.
"""

import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

from attnviewer.io.errors import FileError, FileFormatError, system_reason

FILE_LIMIT = 4 * 2**30
"""Bytes that a session's file may have."""
MOST_PARTS = 1000
_EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The first date that an archive can name."""


def archive(parts: Iterable[tuple[str, bytes]]) -> Iterator[bytes]:
    """Yield the bytes of an archive with some parts, piece by piece.

    Parameters
    ----------
    parts : iterable of (str, bytes)
        Their names and contents, taken one at a time.
    """
    sink = _Sink()
    with zipfile.ZipFile(sink, "w") as file:
        for name, content in parts:
            part = zipfile.ZipInfo(name, _EARLIEST)
            part.create_system = 3  # whatever system it is written on
            part.external_attr = 0o644 << 16
            file.writestr(part, content)
            yield from sink.taken()
    yield from sink.taken()


class _Sink:
    """Keeps what is written until it is taken."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def write(self, piece: bytes) -> int:
        self._pieces.append(bytes(piece))
        return len(piece)

    def flush(self) -> None:
        pass

    def close(self) -> None:
        pass

    def taken(self) -> list[bytes]:
        pieces, self._pieces = self._pieces, []
        return pieces


def read_archive(path: Path) -> Mapping[str, bytes]:
    """Return the parts of an archive by name.

    Parameters
    ----------
    path : Path
        The file.

    Raises
    ------
    FileError
        If it cannot be read, or (`FileFormatError`) is no archive as `archive` makes
        them.
    """
    try:
        size = path.stat().st_size
        if size > FILE_LIMIT:
            raise FileError(path, f"It is larger than {FILE_LIMIT // 2**30} GiB.")
        with path.open("rb") as file:
            return _parts(path, file, size)
    except OSError as error:
        raise FileError(path, system_reason(error)) from error


def _parts(path: Path, file: BinaryIO, size: int) -> dict[str, bytes]:
    try:
        with zipfile.ZipFile(file) as archived:
            infos = archived.infolist()
            _check(path, infos, size)
            return {info.filename: archived.read(info) for info in infos}
    except (zipfile.BadZipFile, EOFError, ValueError, NotImplementedError) as error:
        raise FileFormatError(path, "The file is damaged or no session.") from error


def _check(path: Path, infos: list[zipfile.ZipInfo], size: int) -> None:
    """Check what the archive says of its parts, before any of them is read."""
    if len(infos) > MOST_PARTS:
        reason = f"It may have {MOST_PARTS:,} parts; it has {len(infos):,}."
        raise FileFormatError(path, reason)
    names = [info.filename for info in infos]
    if len(set(names)) != len(names):
        raise FileFormatError(path, "Two of its parts have the same name.")
    for info in infos:
        stored = info.compress_type == zipfile.ZIP_STORED
        if not stored or info.flag_bits & 1 or info.file_size != info.compress_size:
            raise FileFormatError(
                path,
                "The part must be neither compressed nor encrypted.",
                info.filename,
            )
    # More than that can only be the same bytes several times over.
    if sum(info.file_size for info in infos) > size:
        raise FileFormatError(path, "Its parts are longer than the file.")
