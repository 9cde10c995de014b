"""Reading of whole files, up to a size limit."""

import os
import stat
from pathlib import Path

from attnviewer.io.errors import FileError, system_reason

_POINTER = b"version https://git-lfs.github.com/spec/"
_LARGEST_POINTER = 1024
"""Size in bytes, by the specification of Git LFS."""


def is_folder(path: Path) -> bool:
    """Return whether there is such a folder; False for a name that none can have."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def check_ordinary(path: str | Path) -> None:
    """Check that there is a file that can be read to its end.

    Raises
    ------
    FileError
        If there is no such file, it is not a regular one, or it only points to one.
    """
    if "\0" in str(path):
        raise FileError(path, "The name holds a null character.")
    try:
        status = Path(path).stat()
    except OSError as error:
        raise FileError(path, system_reason(error)) from error
    except UnicodeEncodeError:
        raise FileError(
            path, "The name holds an unpaired surrogate (half a character)."
        ) from None
    if stat.S_ISDIR(status.st_mode):
        raise FileError(path, "It is a folder, not a file.")
    if not stat.S_ISREG(status.st_mode):
        # A pipe would block, and a device would never end.
        raise FileError(path, "It is not an ordinary file.")
    if status.st_size <= _LARGEST_POINTER and _is_pointer(Path(path)):
        raise FileError(
            path,
            "It is a pointer of Git LFS, not the file itself: 'git lfs pull' in its "
            "folder fetches that.",
        )


def _is_pointer(path: Path) -> bool:
    """Return whether Git has a file elsewhere, and left a note of it here."""
    try:
        with path.open("rb") as file:
            return file.read(len(_POINTER)) == _POINTER
    except OSError:  # told by who reads it
        return False


def read_bounded(path: str | Path, limit: int) -> bytes:
    """Return the bytes of a regular file.

    Parameters
    ----------
    path : str or Path
        The file.
    limit : int
        Maximum size in bytes. A larger file is not read.

    Raises
    ------
    FileError
        If there is no such file, it cannot be read, or it is too large.
    """
    check_ordinary(path)
    try:
        with Path(path).open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            # Asking for as much as the limit would allocate memory for all of it.
            data = file.read(size + 1) if size <= limit else b""
            if len(data) > size:  # it has grown meanwhile
                data += file.read(limit - size)
    except OSError as error:
        raise FileError(path, system_reason(error)) from error
    if max(size, len(data)) > limit:
        raise FileError(path, f"It is larger than {limit // 2**20} MiB.")
    return data
