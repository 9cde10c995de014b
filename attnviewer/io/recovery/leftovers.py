"""What processes that ended unexpectedly have left behind."""

import contextlib
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from msgspec import structs

from attnviewer.document import Document
from attnviewer.io.file_lock import claim
from attnviewer.io.recovery.about import About, read_about
from attnviewer.io.session import SUFFIX, read_session

PREFIX, LOCK, ABOUT, DAMAGED = "process-", "lock", ".json", "damaged"


@dataclass(frozen=True, slots=True)
class Leftover:
    """A document that was kept and not saved.

    Parameters
    ----------
    path : Path
        Where it is kept.
    about : About or None
        What is told of it, if that can be read.
    time : datetime
        When it was kept.
    """

    path: Path
    about: About | None
    time: datetime

    def read(self) -> Document:
        """Return the document.

        Raises
        ------
        FileError
            If it cannot be read, or (`FileFormatError`) is damaged.
        """
        return read_session(self.path)

    def discard(self) -> None:
        """Remove it for good."""
        for path in (self.path, self.path.with_suffix(ABOUT)):
            with contextlib.suppress(OSError):
                path.unlink()

    def put_apart(self) -> Path:
        """Move it where it is found no more, and return where it is now."""
        process = self.path.parent
        apart = process.parent / DAMAGED / f"{process.name}-{self.path.name}"
        try:
            apart.parent.mkdir(exist_ok=True)
            self.path.replace(apart)
        except OSError:
            return self.path
        self.discard()
        return apart


class Leftovers:
    """What was left behind; as long as this is open, no other process finds it.

    Attributes
    ----------
    found : list of Leftover
        The newest first.
    """

    def __init__(self, locks: dict[Path, BinaryIO], found: list[Leftover]) -> None:
        self._locks = locks
        self.found = sorted(found, key=lambda leftover: leftover.time, reverse=True)

    @property
    def folders(self) -> list[Path]:
        """The folders of processes that live no more."""
        return list(self._locks)

    def close(self) -> None:
        """Leave what is still there to others."""
        for folder, lock in self._locks.items():
            lock.close()
            if not _documents(folder):
                _remove(folder)
        self._locks.clear()


def find_leftovers(root: Path) -> Leftovers:
    """Return what processes that live no more have left behind.

    Parameters
    ----------
    root : Path
        Where the folders of all processes are; there may be none yet.
    """
    locks: dict[Path, BinaryIO] = {}
    for folder in root.glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):  # it has just gone, or is not ours
            lock = claim(folder / LOCK)
            if lock is not None:
                locks[folder] = lock
    found = [_leftover(path) for folder in locks for path in _documents(folder)]
    return Leftovers(locks, found)


def _documents(folder: Path) -> list[Path]:
    return list(folder.glob(f"*{SUFFIX}"))


def _leftover(path: Path) -> Leftover:
    beside = path.with_suffix(ABOUT)
    about, written = read_about(beside), path.stat().st_mtime
    if about is not None and beside.stat().st_mtime <= written:
        return Leftover(path, about, about.time)
    # It is written first: the process ended before the document it tells of was.
    older = structs.replace(about, change="") if about is not None else None
    return Leftover(path, older, datetime.fromtimestamp(written, UTC))


def _remove(folder: Path) -> None:
    with contextlib.suppress(OSError):
        for path in folder.iterdir():
            path.unlink()
        folder.rmdir()
