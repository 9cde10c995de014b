"""A file that other programs may write to."""

import os
from pathlib import Path
from time import perf_counter

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal, Slot

from attnviewer.io.stamp import Stamp

SETTLE = 100
"""Milliseconds that a file has to stay as it is before it is told of."""
PATIENCE = 1.0
"""Seconds after which a file is told of that never stays as it is, or that is gone:
many a writer takes the old file away before the new one is there."""


class FileWatch(QObject):
    """Notices when a file is no longer as it was.

    The file is watched and its folder too, as most writers put another file in its
    place. Where the system tells nothing, as on some network drives, `look` does.

    Attributes
    ----------
    changed : Signal
        The file has become another one, and has come to rest or does not rest at all.
    gone : Signal
        There is no such file any more.
    """

    changed = Signal()
    gone = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._watcher = QFileSystemWatcher(self)
        self._watcher.fileChanged.connect(self.look)
        self._watcher.directoryChanged.connect(self.look)
        self._timer = QTimer(self, singleShot=True, interval=SETTLE)
        self._timer.timeout.connect(self.look)
        self._path: Path | None = None
        self._known: list[Stamp | None] = []
        self._seen: Stamp | None = None
        self._since: float | None = None

    def follow(self, path: Path | None, stamp: Stamp | None = None) -> None:
        """Watch a file instead of the one before.

        Parameters
        ----------
        path : Path or None
            The file; None for no file.
        stamp : Stamp or None
            What it was like when it was read or written.
        """
        self._timer.stop()
        if path != self._path:
            watched = self._watcher.files() + self._watcher.directories()
            if watched:
                self._watcher.removePaths(watched)
        self._path, self._known, self._since = path, [stamp], None
        if path is not None:
            self._timer.start()

    def pass_over(self) -> None:
        """Tell nothing of the file as it is now."""
        if self._path is not None:
            self._known.append(Stamp.of(self._path))

    @Slot()
    def look(self) -> None:
        """Compare the file with what is known of it."""
        if self._path is None:
            return
        self._keep_watching(self._path)
        now = Stamp.of(self._path)
        if now in self._known:
            self._timer.stop()
            self._since = None
        elif self._is_worth_telling(now):
            self._since = None
            self._known.append(now)  # once is enough
            (self.gone if now is None else self.changed).emit()
        else:
            self._seen = now
            self._timer.start()

    def close(self) -> None:
        """Watch nothing any more."""
        self.follow(None)

    def _is_worth_telling(self, now: Stamp | None) -> bool:
        if self._since is None:
            self._since = perf_counter()
            return False
        if perf_counter() - self._since >= PATIENCE:
            return True
        return now is not None and now == self._seen

    def _keep_watching(self, path: Path) -> None:
        # A file that another one takes the place of is no longer watched.
        watched = {*self._watcher.files(), *self._watcher.directories()}
        for wanted in (path, path.parent, Path(os.path.realpath(path)).parent):
            if str(wanted) not in watched and Stamp.of(wanted) is not None:
                self._watcher.addPath(str(wanted))
