"""Detects other windows that have the same session open."""

import contextlib
import os
import secrets
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Slot

from attnviewer.document import Document
from attnviewer.io.file_lock import claim
from attnviewer.one_line import one_line
from attnviewer.ui.files.origins import Origins
from attnviewer.ui.state.folders import data_folder
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.widgets.notice import NoticeBar

_ATTEMPTS = 10


class SessionPresence(QObject):
    """Warns when another window has the same session open.

    Each window keeps a small lock file, named after its session, in the application's
    data folder. The system releases the lock when the process ends, however it ends.
    Windows on other machines are not detected.
    """

    def __init__(
        self,
        workbench: Workbench,
        origins: Origins,
        notice: NoticeBar,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._workbench = workbench
        self._origins = origins
        self._notice = notice
        self._lock_name: str | None = None
        self._lock_file: tuple[Path, BinaryIO] | None = None
        self._alone = True
        self._watcher = QFileSystemWatcher(self)
        self._watcher.directoryChanged.connect(self._check_others)
        # Deferred: the code that opens a document may show a notice first.
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._check_others)
        workbench.opened.connect(self._follow)
        origins.kept.connect(self._on_kept)
        self._follow()

    def close(self) -> None:
        """Remove this window's lock file."""
        self._soon.stop()
        self._lock_name = None
        if self._lock_file is not None:
            path, lock = self._lock_file
            self._lock_file = None
            _remove(path, lock)

    @Slot(object)
    def _on_kept(self, document: Document) -> None:
        if document is self._workbench.document:
            self._follow()

    @Slot()
    def _follow(self) -> None:
        """Hold a lock file for the session of the open document."""
        session = self._origins.session(self._workbench.document)
        name = None if session is None else _lock_name(session)
        if name == self._lock_name:
            return
        self.close()
        self._lock_name, self._alone = name, True
        if name is not None:
            # Without a lock file, other windows just do not detect this one.
            with contextlib.suppress(OSError):
                self._lock_file = _create_locked(name)
            if not self._watcher.directories() and _folder().is_dir():
                self._watcher.addPath(str(_folder()))
            self._soon.start()

    @Slot()
    def _check_others(self) -> None:
        """Show a notice when the first other window appears."""
        session = self._origins.session(self._workbench.document)
        if self._lock_name is None or session is None:
            return
        own = self._lock_file[0] if self._lock_file is not None else None
        paths = _folder().glob(f"{self._lock_name}-*")
        files = [path for path in paths if path != own]
        # No short cut: checking a file also removes it if it is stale.
        alone = not [file for file in files if _is_held(file)]
        if self._alone and not alone:
            text = self.tr(
                "{file} is also open in another window. When it is saved "
                "there, you can reload it here."
            )
            self._notice.add(text.format(file=one_line(session.name)))
        self._alone = alone


def _folder() -> Path:
    return data_folder() / "open"


def _lock_name(session: Path) -> str:
    """Return a lock file name that does not depend on how the path is spelt."""
    path = os.path.normcase(os.path.realpath(session))
    return sha256(os.fsencode(path)).hexdigest()[:32]


def _create_locked(name: str) -> tuple[Path, BinaryIO] | None:
    """Create a lock file with this name, and lock it."""
    _folder().mkdir(parents=True, exist_ok=True)
    for _ in range(_ATTEMPTS):
        path = _folder() / f"{name}-{secrets.token_hex(8)}"
        try:
            lock = claim(path)
        except OSError:
            path.unlink(missing_ok=True)
            raise
        if lock is not None and path.exists():
            return path, lock
        # Before it was locked, another window may have removed it as stale.
        if lock is not None:
            lock.close()
    return None


def _is_held(path: Path) -> bool:
    """Return whether a running window holds a lock file; remove a stale one."""
    try:
        lock = claim(path)
    except OSError:  # unknown
        return False
    if lock is not None:
        _remove(path, lock)
    return lock is None


def _remove(path: Path, lock: BinaryIO) -> None:
    # Unlocked last, so that nobody locks a file that is about to be removed.
    with contextlib.suppress(OSError):
        path.unlink()
    lock.close()
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)  # Windows cannot remove an open file
