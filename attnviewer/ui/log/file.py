"""What happened, in a file for those who report a mistake.

It holds names of files, what went wrong and where, and no numbers of matrices: of an
error the way to it without variables, and its message without any number.
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
"""Bytes of a log file, and how many older ones are kept beside it."""
LOG = logging.getLogger("attnviewer")
LOG.addHandler(logging.NullHandler())  # nothing is printed while there is no file
_NUMBER = re.compile(r"[0-9]+(?:[.,][0-9]+)*(?:[eE][-+]?[0-9]+)?")
_LEVELS = {
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}


def log_folder() -> Path:
    """Return the folder of the log files; it may not be there yet."""
    return data_folder() / "logs"


def log_file(event: str, path: str | Path, reason: str = "") -> None:
    """Write down what became of a file.

    Parameters
    ----------
    event : str
        What was done with it.
    path : str or Path
        The file, of which the name alone is written.
    reason : str
        Why it failed.
    """
    name = Path(path).name
    told = _without_numbers(reason.replace(str(path), name))
    LOG.info(
        "%s %s",
        event,
        f"{one_line(name)}: {one_line(told)}" if told else one_line(name),
    )


def log_error(error: BaseException) -> None:
    """Write down an error that nobody expected."""
    LOG.error("unexpected error\n%s", told_without_numbers(error))


def told_without_numbers(error: BaseException) -> str:
    """Return the way to an error, and what it says without any number."""
    told: list[str] = []
    seen: set[int] = set()
    one: BaseException | None = error
    while one is not None and id(one) not in seen:
        seen.add(id(one))
        message = one_line(_without_numbers(str(one)))
        last = f"{type(one).__qualname__}: {message}\n"
        told.insert(0, "".join(traceback.format_tb(one.__traceback__)) + last)
        earlier = None if one.__suppress_context__ else one.__context__
        one = one.__cause__ or earlier
    return "and then\n".join(told)


class Log:
    """The log file, and what Qt says in it, as long as this is open.

    Where nothing can be written, nothing is, and nobody hears of that.
    """

    def __init__(self) -> None:
        self._handler = _Quiet(log_folder() / FILE)
        LOG.addHandler(self._handler)
        LOG.setLevel(logging.INFO)
        # Python would take each of Qt's threads for one that never ends.
        self._threads_before, logging.logThreads = logging.logThreads, False
        self._heard_before = qInstallMessageHandler(self._hear)
        LOG.info("started: %s", _versions())

    def close(self) -> None:
        """Write nothing more."""
        LOG.info("ended")
        logging.logThreads = self._threads_before
        qInstallMessageHandler(self._heard_before)
        LOG.removeHandler(self._handler)
        self._handler.close()

    def _hear(self, kind: QtMsgType, context: QMessageLogContext, text: str) -> None:
        LOG.log(_LEVELS.get(kind, logging.DEBUG), "Qt: %s", one_line(text))
        if self._heard_before is not None:
            self._heard_before(kind, context, text)
        elif sys.stderr is not None:
            sys.stderr.write(f"{text}\n")


class _Quiet(logging.handlers.RotatingFileHandler):
    """Writes to a file that need not be possible."""

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
    told = {
        "attnviewer": __version__,
        "Python": sys.version.split()[0],
        "NumPy": np.__version__,
        "PySide": PySide6.__version__,
        "Qt": qVersion(),
        "on": f"{QSysInfo.prettyProductName()}, {QSysInfo.currentCpuArchitecture()}",
        "shown by": QGuiApplication.platformName(),
    }
    return ", ".join(f"{name} {text}" for name, text in told.items())


def _without_numbers(text: str) -> str:
    return _NUMBER.sub("#", text)
