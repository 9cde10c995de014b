"""A lock that is held by one process at a time. Only the standard library."""

import contextlib
import errno
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import system

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

PAUSE = 0.2
"""Seconds between two attempts to get the lock."""
NO_LOCKS = (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOTSUP, errno.ENOSYS)
"""What file systems say that know no locks, as some on networks do."""


@contextlib.contextmanager
def exclusive(path: Path, waiting: str) -> Iterator[None]:
    """Hold the lock file at `path`, having said `waiting` if another process has it.

    Programs started meanwhile by `system.run` inherit the lock on POSIX: if this
    process is killed, the lock is free once they have ended as well.
    """
    with path.open("ab") as file:
        if not acquired(file):
            system.say(waiting)
            while not acquired(file):
                time.sleep(PAUSE)
        os.set_inheritable(file.fileno(), True)
        yield


def acquired(file: IO[bytes]) -> bool:
    """Tell whether the lock is held now, or must be done without."""
    try:
        if sys.platform == "win32":
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError as error:
        if error.errno not in NO_LOCKS:
            raise
        system.say(
            f"No lock can be had ({error.strerror}); start no other script meanwhile."
        )
    return True
