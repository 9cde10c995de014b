"""File locks that end with their process."""

import sys
from pathlib import Path
from typing import BinaryIO

_HELD = BlockingIOError, PermissionError
"""The errors that the system reports for a held lock; Windows the latter."""


def claim(path: Path) -> BinaryIO | None:
    """Open a file, creating it if necessary, and lock it until it is closed.

    Parameters
    ----------
    path : Path
        The file.

    Returns
    -------
    binary file or None
        None if it is locked already, by this process or another one.

    Raises
    ------
    OSError
        If the file cannot be opened, or its file system has no locks.
    """
    file = path.open("ab")
    locked = False
    try:
        locked = lock(file)
    finally:
        if not locked:
            file.close()
    return file if locked else None


def lock(file: BinaryIO, *, wait: bool = False) -> bool:
    """Lock an open file until it is closed; return whether that succeeded.

    It does not where it is locked already.

    Parameters
    ----------
    file : binary file
        The file.
    wait : bool
        Whether to wait for another process's lock.

    Raises
    ------
    OSError
        If it cannot be locked at all, as on a file system that has no locks.
    """
    try:
        _lock(file, wait=wait)
    except _HELD:
        return False
    return True


if sys.platform == "win32":
    import msvcrt

    def _lock(file: BinaryIO, *, wait: bool) -> None:
        mode = msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK
        msvcrt.locking(file.fileno(), mode, 1)

else:
    import fcntl

    def _lock(file: BinaryIO, *, wait: bool) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
