"""Errors that nobody expected: told once, in plain words, and never only printed."""

import sys
import threading
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QWidget

# What tells of an error is imported when there is one, or the window is filled.
if TYPE_CHECKING:
    from attnviewer.ui.failures.dialog import FailureDialog
    from attnviewer.ui.log import Log
    from attnviewer.ui.state.workbench import Workbench
    from attnviewer.ui.widgets.notice import NoticeBar

_Place: TypeAlias = tuple[str, str, int]
"""The kind of an error, and the file and the line that raised it."""


class Failures(QObject):
    """Hears of every error that nobody caught, in any thread, and goes on.

    Each is written into the log. The first one of its kind and place opens a dialog,
    unless one is open; the same one again is told in the notice bar, as it would come
    with every picture if painting fails.

    """

    _happened = Signal(str, bool)

    def __init__(self) -> None:
        super().__init__()
        self._window: QWidget | None = None
        self._log: Log | None = None
        self._dialog: FailureDialog | None = None
        self._counts: Counter[_Place] = Counter()
        self._before = sys.excepthook, threading.excepthook
        # Not at once: it may be in the midst of painting, or in another thread.
        self._happened.connect(self._tell, Qt.ConnectionType.QueuedConnection)
        sys.excepthook = self._on_error
        threading.excepthook = self._on_thread_error

    def follow(
        self, window: QWidget, workbench: "Workbench", notice: "NoticeBar"
    ) -> None:
        """Open the log, and tell of errors in a window that is filled.

        Parameters
        ----------
        window : QWidget
            The window.
        workbench : Workbench
            Whose document can be saved then.
        notice : NoticeBar
            Where an error is told that comes again.
        """
        self._window, self._workbench, self._notice = window, workbench, notice
        self._open_log()

    def log(self, error: BaseException, source: str) -> None:
        """Write down why a source was not opened."""
        from attnviewer.io import FileError
        from attnviewer.ui.log import log_error, log_file

        self._open_log()
        if isinstance(error, FileError):
            log_file("refused", source, error.reason)
        else:
            log_error(error)

    def close(self) -> None:
        """Hear of nothing more."""
        sys.excepthook, threading.excepthook = self._before
        self._window = None
        if self._log is not None:
            self._log.close()

    def _open_log(self) -> None:
        from attnviewer.ui.log import Log

        if self._log is None:
            self._log = Log()

    def _on_error(
        self,
        kind: type[BaseException],
        error: BaseException,
        way: TracebackType | None,
    ) -> None:
        if not isinstance(error, Exception):  # such as Ctrl+C
            self._before[0](kind, error, way)
            return
        from attnviewer.ui.log import LOG, log_error

        self._open_log()
        place = _place(error)
        self._counts[place] += 1
        count = self._counts[place]
        if count == 1:
            log_error(error)
            self._before[0](kind, error, way)
        elif str(count).strip("0") == "1":
            LOG.error("the same unexpected error again: %s times", count)
        told = "".join(traceback.format_exception(error))
        self._happened.emit(told, count == 1)

    def _on_thread_error(self, failed: threading.ExceptHookArgs) -> None:
        if failed.exc_value is not None:
            self._on_error(failed.exc_type, failed.exc_value, failed.exc_traceback)

    @Slot(str, bool)
    def _tell(self, details: str, first: bool) -> None:
        from attnviewer.ui.failures.dialog import FailureDialog

        window = self._window
        if window is None or not window.isVisible():
            return
        if self._dialog is not None:
            if first:
                self._dialog.add(details)
        elif first:
            self._dialog = FailureDialog(window, self._workbench, details)
            self._dialog.finished.connect(self._forget_dialog)
            self._dialog.open()
        else:
            self._tell_again()

    def _tell_again(self) -> None:
        told = self.tr(
            "The unexpected error has come again. Save your work, and start attnviewer "
            "anew."
        )
        if self._notice.text != told:
            self._notice.refuse(told)

    @Slot()
    def _forget_dialog(self) -> None:
        self._dialog = None


@contextmanager
def reporting_failures() -> Iterator[Failures]:
    """Tell of unexpected errors as long as this lasts."""
    failures = Failures()
    try:
        yield failures
    finally:
        failures.close()


def _place(error: BaseException) -> _Place:
    frames = traceback.extract_tb(error.__traceback__)
    last = frames[-1] if frames else None
    name = type(error).__qualname__
    return (name, last.filename, last.lineno or 0) if last else (name, "", 0)
