"""Atomic writing of files."""

import contextlib
import os
import re
import secrets
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

from attnviewer.io.errors import FileError, system_reason
from attnviewer.io.file_lock import lock

_TEMPORARY = re.compile(r"\.attnviewer-[0-9a-f]{16}\.tmp")


def write_atomically(
    path: str | Path, content: bytes | Iterable[bytes], *, lasting: bool = True
) -> None:
    """Write a file so that at any moment either the old or the new one exists, whole.

    The bytes go to a hidden temporary file in the same folder, which replaces the file
    once it is complete. A killed process may leave the temporary file behind, but never
    half of the real one; the next file written to the folder removes it. An existing
    file keeps its permission bits and, if possible, its owner; of a symbolic link the
    target is written. The temporary file is no more readable than the real one.

    Parameters
    ----------
    path : str or Path
        The file.
    content : bytes or iterable of bytes
        The content; pieces are taken one at a time.
    lasting : bool
        Whether to wait until the bytes are on the disk, where they survive a power cut.
        Exports, which can be repeated, need not wait for that.

    Raises
    ------
    FileError
        If the file cannot be written. The old one is then unchanged.
    """
    try:
        target = _target(Path(path))
        remove_temporary_files(target.parent)
        pieces = [content] if isinstance(content, bytes) else content
        _write(target, pieces, lasting)
    except OSError as error:
        raise FileError(path, system_reason(error)) from error


def remove_temporary_files(folder: Path) -> None:
    """Remove the temporary files that killed processes have left in a folder.

    A writer keeps its file locked, and the lock ends with the process.

    Parameters
    ----------
    folder : Path
        The folder; one that cannot be listed is ignored.
    """
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if _TEMPORARY.fullmatch(entry.name) and entry.is_file(
                follow_symlinks=False
            ):
                with contextlib.suppress(OSError):
                    _remove_if_left(Path(entry))


def _remove_if_left(temporary: Path) -> None:
    if os.name != "posix":  # Windows cannot remove an open file
        temporary.unlink()
        return
    with temporary.open("rb+") as file:
        if lock(file):
            temporary.unlink()


def _target(path: Path) -> Path:
    if "\0" in str(path):
        raise FileError(path, "The name holds a null character.")
    try:
        target = path.resolve()
    except RuntimeError:  # circular links, before Python 3.13
        raise FileError(path, "Its symbolic links lead in a circle.") from None
    except UnicodeEncodeError:
        raise FileError(
            path, "The name holds an unpaired surrogate (half a character)."
        ) from None
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        if not target.parent.is_dir():
            raise FileError(path, f"There is no folder {target.parent}.") from None
        return target
    if stat.S_ISDIR(mode):
        raise FileError(path, "It is a folder, not a file.")
    if not stat.S_ISREG(mode):
        raise FileError(path, "It is not an ordinary file.")
    if not os.access(target, os.W_OK):
        # Replacing needs no write permission on the old file; refuse all the same.
        raise FileError(path, "The file is write-protected.")
    return target


def _write(target: Path, pieces: Iterable[bytes], lasting: bool) -> None:
    try:
        present = target.stat()
    except FileNotFoundError:
        present = None
    temporary, file = _temporary_for(target, 0o666 if present is None else 0o600)
    try:
        with file:
            if present is not None:
                _give_rights(file, present)
            for piece in pieces:
                file.write(piece)
            file.flush()
            if lasting:
                os.fsync(file.fileno())
            if os.name == "posix":  # while the lock marks it as in use
                temporary.replace(target)
        if os.name != "posix":  # Windows cannot rename an open file
            temporary.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    if lasting:
        _sync_folder(target.parent)


def _temporary_for(target: Path, mode: int) -> tuple[Path, BinaryIO]:
    """Return a new locked file beside the target, with some permission bits."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    while True:
        # A short name: the target's may already have the maximum length.
        temporary = target.with_name(f".attnviewer-{secrets.token_hex(8)}.tmp")
        file = os.fdopen(os.open(temporary, flags, mode), "wb")
        if os.name != "posix":
            return temporary, file
        with contextlib.suppress(OSError):  # a file system without locks
            lock(file, wait=True)
        # Another process's cleanup may have removed it meanwhile.
        if os.path.lexists(temporary):
            return temporary, file
        file.close()


def _give_rights(file: BinaryIO, present: os.stat_result) -> None:
    """Give a file the owner and the permission bits of an existing one."""
    if os.name != "posix":
        return
    with contextlib.suppress(OSError):  # changing the owner needs privileges
        os.fchown(file.fileno(), present.st_uid, present.st_gid)
    os.fchmod(file.fileno(), stat.S_IMODE(present.st_mode))


def _sync_folder(folder: Path) -> None:
    # Makes the new name survive a power cut. The file is in place by now, so a file
    # system that cannot do this is no failure; Windows has no such call.
    if os.name != "posix":
        return
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
