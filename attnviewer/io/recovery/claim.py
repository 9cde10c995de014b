"""Files that one process at a time holds locked, as long as it lives."""

import sys
from pathlib import Path
from typing import BinaryIO


def claim(path: Path) -> BinaryIO | None:
    """Make a file, if need be, and lock it until it is closed or the process ends.

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
        If there can be no such file.
    """
    file = path.open("ab")
    try:
        _lock(file)
    except OSError:
        file.close()
        return None
    return file


if sys.platform == "win32":
    import msvcrt

    def _lock(file: BinaryIO) -> None:
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(file: BinaryIO) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
