"""File locks that end with their process."""

import sys
from pathlib import Path
from typing import BinaryIO


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
        If the file cannot be opened.
    """
    file = path.open("ab")
    if lock(file):
        return file
    file.close()
    return None


def lock(file: BinaryIO, *, wait: bool = False) -> bool:
    """Lock an open file until it is closed; return whether that succeeded.

    Parameters
    ----------
    file : binary file
        The file.
    wait : bool
        Whether to wait for another process's lock.
    """
    try:
        _lock(file, wait=wait)
    except OSError:
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
