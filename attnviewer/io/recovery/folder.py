"""The folder in which this process keeps unsaved documents."""

import contextlib
import secrets
import shutil
from pathlib import Path
from typing import BinaryIO

from attnviewer.document import Document
from attnviewer.io.errors import FileError, system_reason
from attnviewer.io.file_lock import claim
from attnviewer.io.recovery.about import About, write_about
from attnviewer.io.recovery.recoverable import ABOUT, LOCK, PREFIX, RecoverableDocument
from attnviewer.io.session import SUFFIX, save_session

_ATTEMPTS = 10


class RecoveryFolder:
    """Keeps documents by number, in a folder that is created with the first one.

    Parameters
    ----------
    root : Path
        The parent of the folders of all processes.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._folder: Path | None = None
        self._lock: BinaryIO | None = None

    def keep(self, number: int, document: Document, about: About) -> None:
        """Write a document, replacing an older one of the same number.

        Parameters
        ----------
        number : int
            Its number.
        document : Document
            The document to keep.
        about : About
            Its description.

        Raises
        ------
        FileError
            If it cannot be written; an older one is then still there.
        """
        path = self._path(number)
        # First, so that no document is ever without a description.
        write_about(about, path.with_suffix(ABOUT))
        save_session(document, path)

    def take(self, number: int, recoverable: RecoverableDocument) -> None:
        """Take over a document that another process has left behind.

        Raises
        ------
        FileError
            If it cannot be moved; it then stays where it was.
        """
        path = self._path(number)
        try:
            with contextlib.suppress(FileNotFoundError):
                recoverable.path.with_suffix(ABOUT).replace(path.with_suffix(ABOUT))
            recoverable.path.replace(path)
        except OSError as error:
            raise FileError(recoverable.path, system_reason(error)) from error

    def remove(self, number: int) -> None:
        """Stop keeping a document."""
        if self._folder is None:
            return
        path = self._path(number)
        for each in (path, path.with_suffix(ABOUT)):
            with contextlib.suppress(OSError):
                each.unlink()

    def close(self) -> None:
        """Remove all kept documents: nothing would be lost."""
        if self._lock is not None:
            self._lock.close()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
        self._folder = self._lock = None

    def _path(self, number: int) -> Path:
        if self._folder is None:
            self._folder = self._make()
        return self._folder / f"{number}{SUFFIX}"

    def _make(self) -> Path:
        unlocked = "No file in it can be locked."
        for _ in range(_ATTEMPTS):
            folder = self._root / (PREFIX + secrets.token_hex(8))
            try:
                folder.mkdir(mode=0o700, parents=True)
            except OSError as error:
                raise FileError(self._root, system_reason(error)) from error
            try:
                # Another process may have removed it as a leftover before it was
                # locked.
                with contextlib.suppress(FileNotFoundError):
                    self._lock = claim(folder / LOCK)
            except OSError as error:
                reason = f"{unlocked} {system_reason(error)}"
                raise FileError(self._root, reason) from error
            finally:
                if self._lock is None:
                    shutil.rmtree(folder, ignore_errors=True)
            if self._lock is not None:
                return folder
        raise FileError(self._root, unlocked)
