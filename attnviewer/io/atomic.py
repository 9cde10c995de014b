"""Files that are either whole or not there."""

import contextlib
import os
import re
import secrets
import stat
import time
from collections.abc import Iterable
from pathlib import Path

from attnviewer.io.errors import FileError, system_reason

_TEMPORARY = re.compile(r"\.attnviewer-[0-9a-f]{16}\.tmp")
_FORGOTTEN = 24 * 3600.0
"""Seconds after which nobody writes to a temporary file any more."""


def write_atomically(
    path: str | Path, content: bytes | Iterable[bytes], *, lasting: bool = True
) -> None:
    """Write a file so that at any moment the old or the new one is there, whole.

    The bytes go to a hidden temporary file in the same folder, which takes the
    file's place once all of them are written. A killed process may leave the
    temporary file behind, never half of the real one. An existing file keeps its
    permission bits, a symbolic link stays one, and its target is written.

    Parameters
    ----------
    path : str or Path
        The file.
    content : bytes or iterable of bytes
        What to write; pieces are taken one at a time.
    lasting : bool
        Wait until they are on the disk, where they outlast a power cut. What can be
        made again, as an export can, need not wait for that, nor for what other
        programs have written before.

    Raises
    ------
    FileError
        If the file cannot be written. The old one is then as it was.
    """
    try:
        target = _target(Path(path))
        pieces = [content] if isinstance(content, bytes) else content
        _write(target, pieces, lasting)
    except OSError as error:
        raise FileError(path, system_reason(error)) from error


def remove_leftovers(folder: Path) -> None:
    """Remove the temporary files that processes killed long ago left in a folder.

    Parameters
    ----------
    folder : Path
        The folder; one that cannot be looked through stays as it is.
    """
    before = time.time() - _FORGOTTEN
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if (
                _TEMPORARY.fullmatch(entry.name)
                and entry.is_file(follow_symlinks=False)
                and entry.stat().st_mtime < before
            ):
                with contextlib.suppress(OSError):
                    Path(entry).unlink()


def _target(path: Path) -> Path:
    if "\0" in str(path):
        raise FileError(path, "The name holds a null character.")
    try:
        target = path.resolve()
    except RuntimeError:  # how Python before 3.13 tells of links in a circle
        raise FileError(path, "Its symbolic links lead in a circle.") from None
    except UnicodeEncodeError:
        raise FileError(path, "The name holds half of a sign.") from None
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
        # Replacing needs no right to write the old file; refuse all the same.
        raise FileError(path, "The file is write-protected.")
    return target


def _write(target: Path, pieces: Iterable[bytes], lasting: bool) -> None:
    # A short name of its own: the target's may already be as long as names can be.
    temporary = target.with_name(f".attnviewer-{secrets.token_hex(8)}.tmp")
    try:
        with temporary.open("xb") as file:
            for piece in pieces:
                file.write(piece)
            if lasting:
                file.flush()
                os.fsync(file.fileno())
        with contextlib.suppress(FileNotFoundError):
            temporary.chmod(stat.S_IMODE(target.stat().st_mode))
        temporary.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    if lasting:
        _sync_folder(target.parent)


def _sync_folder(folder: Path) -> None:
    # Makes the new name last through a power cut. The file is in place by now, so
    # a file system that cannot do this is no failure; Windows has no such call.
    if os.name != "posix":
        return
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
