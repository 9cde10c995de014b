"""The log file, for bug reports.

It holds file names and errors, but no numbers of matrices: tracebacks without
variables, and messages with every number removed.
"""

import logging
import logging.handlers
import re
import sys
import traceback
from pathlib import Path

import numpy as np
import PySide6
from PySide6.QtCore import (
    QMessageLogContext,
    QSysInfo,
    QtMsgType,
    qInstallMessageHandler,
    qVersion,
)
from PySide6.QtGui import QGuiApplication

from attnviewer.one_line import one_line
from attnviewer.ui.state.folders import data_folder
from attnviewer.version import __version__

FILE = "attnviewer.log"
LIMIT, OLDER = 1_000_000, 2
"""Bytes of a log file, and how many rotated ones are kept."""
LOG = logging.getLogger("attnviewer")
LOG.addHandler(logging.NullHandler())  # nothing is printed while there is no file
_NUMBER = re.compile(r"[0-9]+(?:[.,][0-9]+)*(?:[eE][-+]?[0-9]+)?")
_LEVELS = {
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}


def log_folder() -> Path:
    """Return the folder of the log files, which may not exist yet."""
    return data_folder() / "logs"


def log_file(event: str, path: str | Path, reason: str = "") -> None:
    """Log what happened to a file.

    Parameters
    ----------
    event : str
        What was done.
    path : str or Path
        The file; only its name is logged.
    reason : str
        Why it failed.
    """
    name = Path(path).name
    text = _without_numbers(reason.replace(str(path), name))
    LOG.info(
        "%s %s",
        event,
        f"{one_line(name)}: {one_line(text)}" if text else one_line(name),
    )


def log_error(error: BaseException) -> None:
    """Log an unexpected error."""
    LOG.error("unexpected error\n%s", traceback_without_numbers(error))


def traceback_without_numbers(error: BaseException) -> str:
    """Return an error's traceback, and its message without numbers."""
    parts: list[str] = []
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        message = one_line(_without_numbers(str(current)))
        last = f"{type(current).__qualname__}: {message}\n"
        parts.insert(0, "".join(traceback.format_tb(current.__traceback__)) + last)
        earlier = None if current.__suppress_context__ else current.__context__
        current = current.__cause__ or earlier
    return "and then\n".join(parts)


class Log:
    """Keeps the log file, with Qt's messages in it, until it is closed.

    If the file cannot be written, logging is silently dropped.
    """

    def __init__(self) -> None:
        self._handler = _QuietHandler(log_folder() / FILE)
        LOG.addHandler(self._handler)
        LOG.setLevel(logging.INFO)
        # Python would register each Qt thread as one that never ends.
        self._previous_log_threads, logging.logThreads = logging.logThreads, False
        self._previous_handler = qInstallMessageHandler(self._on_qt_message)
        LOG.info("started: %s", _versions())

    def close(self) -> None:
        """End the log."""
        LOG.info("ended")
        logging.logThreads = self._previous_log_threads
        qInstallMessageHandler(self._previous_handler)
        LOG.removeHandler(self._handler)
        self._handler.close()

    def _on_qt_message(
        self, kind: QtMsgType, context: QMessageLogContext, text: str
    ) -> None:
        LOG.log(_LEVELS.get(kind, logging.DEBUG), "Qt: %s", one_line(text))
        if self._previous_handler is not None:
            self._previous_handler(kind, context, text)
        elif sys.stderr is not None:
            sys.stderr.write(f"{text}\n")


class _QuietHandler(logging.handlers.RotatingFileHandler):
    """Writes to a file, ignoring failures."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            path,
            maxBytes=LIMIT,
            backupCount=OLDER,
            encoding="utf-8",
            delay=True,
            errors="backslashreplace",
        )
        self.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        try:
            Path(self.baseFilename).parent.mkdir(parents=True, exist_ok=True)
        except OSError:
            return
        super().emit(record)

    def handleError(self, record: logging.LogRecord) -> None:
        pass


def _versions() -> str:
    versions = {
        "attnviewer": __version__,
        "Python": sys.version.split()[0],
        "NumPy": np.__version__,
        "PySide": PySide6.__version__,
        "Qt": qVersion(),
        "on": f"{QSysInfo.prettyProductName()}, {QSysInfo.currentCpuArchitecture()}",
        "shown by": QGuiApplication.platformName(),
    }
    return ", ".join(f"{name} {text}" for name, text in versions.items())


def _without_numbers(text: str) -> str:
    return _NUMBER.sub("#", text)
