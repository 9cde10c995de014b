"""Unexpected errors: shown once, in plain words, and never only printed."""

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

# The dialog is imported at the first error, or once the window is filled.
if TYPE_CHECKING:
    from attnviewer.ui.failures.dialog import FailureDialog
    from attnviewer.ui.log import Log
    from attnviewer.ui.state.workbench import Workbench
    from attnviewer.ui.widgets.notice import NoticeBar

_Origin: TypeAlias = tuple[str, str, int]
"""The type of an error, and the file and line that raised it."""


class Failures(QObject):
    """Handles every uncaught error in any thread, and keeps the program running.

    Each is logged. The first of its type and origin opens a dialog, unless one is
    open; repetitions go to the notice bar, as an error in a paint event would come
    back with every paint.

    """

    _happened = Signal(str, bool)

    def __init__(self) -> None:
        super().__init__()
        self._window: QWidget | None = None
        self._log: Log | None = None
        self._dialog: FailureDialog | None = None
        self._counts: Counter[_Origin] = Counter()
        self._previous_hooks = sys.excepthook, threading.excepthook
        # Queued: the error may come from a paint event, or from another thread.
        self._happened.connect(self._report, Qt.ConnectionType.QueuedConnection)
        sys.excepthook = self._on_error
        threading.excepthook = self._on_thread_error

    def follow(
        self, window: QWidget, workbench: "Workbench", notice: "NoticeBar"
    ) -> None:
        """Open the log, and report errors in a complete window.

        Parameters
        ----------
        window : QWidget
            The window.
        workbench : Workbench
            Its document can be saved from the dialog.
        notice : NoticeBar
            Shows repeated errors.
        """
        self._window, self._workbench, self._notice = window, workbench, notice
        self._open_log()

    def log(self, error: BaseException, source: str) -> None:
        """Log why a source was not opened."""
        from attnviewer.io import FileError
        from attnviewer.ui.log import log_error, log_file

        self._open_log()
        if isinstance(error, FileError):
            log_file("refused", source, error.reason)
        else:
            log_error(error)

    def close(self) -> None:
        """Restore the previous hooks."""
        sys.excepthook, threading.excepthook = self._previous_hooks
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
            self._previous_hooks[0](kind, error, way)
            return
        from attnviewer.ui.log import LOG, log_error

        self._open_log()
        origin = _origin_of(error)
        self._counts[origin] += 1
        count = self._counts[origin]
        if count == 1:
            log_error(error)
            self._previous_hooks[0](kind, error, way)
        elif str(count).strip("0") == "1":
            LOG.error("the same unexpected error again: %s times", count)
        details = "".join(traceback.format_exception(error))
        self._happened.emit(details, count == 1)

    def _on_thread_error(self, failed: threading.ExceptHookArgs) -> None:
        if failed.exc_value is not None:
            self._on_error(failed.exc_type, failed.exc_value, failed.exc_traceback)

    @Slot(str, bool)
    def _report(self, details: str, first: bool) -> None:
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
            self._report_repetition()

    def _report_repetition(self) -> None:
        text = self.tr(
            "The unexpected error has occurred again. Save your work, and restart "
            "attnviewer."
        )
        if self._notice.text != text:
            self._notice.refuse(text)

    @Slot()
    def _forget_dialog(self) -> None:
        self._dialog = None


@contextmanager
def reporting_failures() -> Iterator[Failures]:
    """Report unexpected errors within this context."""
    failures = Failures()
    try:
        yield failures
    finally:
        failures.close()


def _origin_of(error: BaseException) -> _Origin:
    frames = traceback.extract_tb(error.__traceback__)
    last = frames[-1] if frames else None
    name = type(error).__qualname__
    return (name, last.filename, last.lineno or 0) if last else (name, "", 0)
