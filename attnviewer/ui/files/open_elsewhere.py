"""Windows that have the same session open learn of each other."""

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


class Presence(QObject):
    """Shows other windows which session this one has open, and tells of theirs.

    Each window holds a small file locked that is named after the session, in a
    folder of the program's own. The system unlocks it when the process ends, however
    it ends. Windows on other machines are not seen.
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
        self._name: str | None = None
        self._own: tuple[Path, BinaryIO] | None = None
        self._alone = True
        self._watcher = QFileSystemWatcher(self)
        self._watcher.directoryChanged.connect(self._look)
        # Not at once: who opens a document may have something to say itself.
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._look)
        workbench.opened.connect(self._follow)
        origins.kept.connect(self._on_kept)
        self._follow()

    def close(self) -> None:
        """Be seen by nobody any more."""
        self._soon.stop()
        self._name = None
        if self._own is not None:
            path, lock = self._own
            self._own = None
            _remove(path, lock)

    @Slot(object)
    def _on_kept(self, document: Document) -> None:
        if document is self._workbench.document:
            self._follow()

    @Slot()
    def _follow(self) -> None:
        """Be seen with the session of the open document."""
        session = self._origins.session(self._workbench.document)
        name = None if session is None else _name(session)
        if name == self._name:
            return
        self.close()
        self._name, self._alone = name, True
        if name is not None:
            # Where there can be no such file, others do not learn of this window.
            with contextlib.suppress(OSError):
                self._own = _held(name)
            if not self._watcher.directories() and _folder().is_dir():
                self._watcher.addPath(str(_folder()))
            self._soon.start()

    @Slot()
    def _look(self) -> None:
        """Tell of other windows if there were none before."""
        session = self._origins.session(self._workbench.document)
        if self._name is None or session is None:
            return
        own = self._own[0] if self._own is not None else None
        files = [file for file in _folder().glob(f"{self._name}-*") if file != own]
        # All of them, as looking removes what others have left behind.
        alone = not [file for file in files if _is_held(file)]
        if self._alone and not alone:
            told = self.tr(
                "{file} is open in another window as well; what is saved there is "
                "offered here."
            )
            self._notice.add(told.format(file=one_line(session.name)))
        self._alone = alone


def _folder() -> Path:
    return data_folder() / "open"


def _name(session: Path) -> str:
    """Return a name for a file, however it is reached."""
    path = os.path.normcase(os.path.realpath(session))
    return sha256(os.fsencode(path)).hexdigest()[:32]


def _held(name: str) -> tuple[Path, BinaryIO] | None:
    """Make a file of a name's, and hold it locked."""
    _folder().mkdir(parents=True, exist_ok=True)
    for _ in range(_ATTEMPTS):
        path = _folder() / f"{name}-{secrets.token_hex(8)}"
        lock = claim(path)
        if lock is not None and path.exists():
            return path, lock
        # Another window took it for one that was left behind, before it was locked.
        if lock is not None:
            lock.close()
    return None


def _is_held(path: Path) -> bool:
    """Return whether a living window holds a file; remove one that was left behind."""
    try:
        lock = claim(path)
    except OSError:  # nobody can tell
        return False
    if lock is not None:
        _remove(path, lock)
    return lock is None


def _remove(path: Path, lock: BinaryIO) -> None:
    # Unlocked last, so that nobody locks a file that is about to go.
    with contextlib.suppress(OSError):
        path.unlink()
    lock.close()
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)  # Windows removes no open file
