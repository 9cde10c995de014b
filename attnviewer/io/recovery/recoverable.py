"""Documents left behind by processes that ended unexpectedly."""

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
class RecoverableDocument:
    """A document that was kept and not saved.

    Parameters
    ----------
    path : Path
        The file.
    about : About or None
        Its description, if that can be read.
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
        """Move it out of the search path, and return its new path."""
        process = self.path.parent
        apart = process.parent / DAMAGED / f"{process.name}-{self.path.name}"
        try:
            # Private, as the folder that it comes from.
            apart.parent.mkdir(mode=0o700, exist_ok=True)
            self.path.replace(apart)
        except OSError:
            return self.path
        self.discard()
        return apart


class RecoverableDocuments:
    """The leftovers; while this is open, no other process finds them.

    Attributes
    ----------
    found : list of RecoverableDocument
        The newest first.
    """

    def __init__(
        self, locks: dict[Path, BinaryIO], found: list[RecoverableDocument]
    ) -> None:
        self._locks = locks
        self.found = sorted(
            found, key=lambda recoverable: recoverable.time, reverse=True
        )

    @property
    def folders(self) -> list[Path]:
        """The folders of dead processes."""
        return list(self._locks)

    def close(self) -> None:
        """Release the remaining leftovers to other processes."""
        for folder, lock in self._locks.items():
            lock.close()
            if not _documents(folder):
                _remove(folder)
        self._locks.clear()


def find_recoverable(root: Path) -> RecoverableDocuments:
    """Return the leftovers of dead processes.

    Parameters
    ----------
    root : Path
        The parent of the folders of all processes, which may not exist yet.
    """
    locks: dict[Path, BinaryIO] = {}
    for folder in root.glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):  # just removed, or another user's
            lock = claim(folder / LOCK)
            if lock is not None:
                locks[folder] = lock
    found = [_recoverable(path) for folder in locks for path in _documents(folder)]
    return RecoverableDocuments(locks, found)


def _documents(folder: Path) -> list[Path]:
    return list(folder.glob(f"*{SUFFIX}"))


def _recoverable(path: Path) -> RecoverableDocument:
    beside = path.with_suffix(ABOUT)
    about, written = read_about(beside), path.stat().st_mtime
    if about is not None and beside.stat().st_mtime <= written:
        return RecoverableDocument(path, about, about.time)
    # The description is written first: the process ended before writing the document.
    older = structs.replace(about, change="") if about is not None else None
    return RecoverableDocument(path, older, datetime.fromtimestamp(written, UTC))


def _remove(folder: Path) -> None:
    with contextlib.suppress(OSError):
        for path in folder.iterdir():
            path.unlink()
        folder.rmdir()
