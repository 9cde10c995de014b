"""Watching a file that other programs may write to."""

import os
from pathlib import Path
from time import perf_counter

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal, Slot

from attnviewer.io.stamp import Stamp

SETTLE = 100
"""Milliseconds that a file must stay unchanged before a change is reported."""
PATIENCE = 1.0
"""Seconds after which a file that keeps changing, or is missing, is reported: many
programs remove the old file before they write the new one."""


class FileWatch(QObject):
    """Notices changes to a file.

    Its folder is watched, too, as most programs replace a file when they save it.
    Where the system reports no changes, as on some network drives, call `check`.

    Attributes
    ----------
    changed : Signal
        The file has changed, and has settled or keeps changing.
    gone : Signal
        The file no longer exists.
    """

    changed = Signal()
    gone = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._watcher = QFileSystemWatcher(self)
        self._watcher.fileChanged.connect(self.check)
        self._watcher.directoryChanged.connect(self.check)
        self._timer = QTimer(self, singleShot=True, interval=SETTLE)
        self._timer.timeout.connect(self.check)
        self._path: Path | None = None
        self._known: list[Stamp | None] = []
        self._seen: Stamp | None = None
        self._since: float | None = None

    def follow(self, path: Path | None, stamp: Stamp | None = None) -> None:
        """Watch a file in place of the previous one.

        Parameters
        ----------
        path : Path or None
            The file; None for no file.
        stamp : Stamp or None
            Its stamp from when it was read or written.
        """
        self._timer.stop()
        if path != self._path:
            watched = self._watcher.files() + self._watcher.directories()
            if watched:
                self._watcher.removePaths(watched)
        self._path, self._known, self._since = path, [stamp], None
        if path is not None:
            self._timer.start()

    def ignore_present(self) -> None:
        """Ignore the file's present state."""
        if self._path is not None:
            self._known.append(Stamp.of(self._path))

    @Slot()
    def check(self) -> None:
        """Compare the file with its known stamps."""
        if self._path is None:
            return
        self._keep_watching(self._path)
        now = Stamp.of(self._path)
        if now in self._known:
            self._timer.stop()
            self._since = None
        elif self._has_settled(now):
            self._since = None
            self._known.append(now)  # report it once
            (self.gone if now is None else self.changed).emit()
        else:
            self._seen = now
            self._timer.start()

    def close(self) -> None:
        """Stop watching."""
        self.follow(None)

    def _has_settled(self, now: Stamp | None) -> bool:
        if self._since is None:
            self._since = perf_counter()
            return False
        if perf_counter() - self._since >= PATIENCE:
            return True
        return now is not None and now == self._seen

    def _keep_watching(self, path: Path) -> None:
        # QFileSystemWatcher drops a file that is replaced.
        watched = {*self._watcher.files(), *self._watcher.directories()}
        for wanted in (path, path.parent, Path(os.path.realpath(path)).parent):
            if str(wanted) not in watched and Stamp.of(wanted) is not None:
                self._watcher.addPath(str(wanted))
