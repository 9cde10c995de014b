"""Qt for drawing where there is no window."""

import os
import threading

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QGuiApplication

from attnviewer.ui.window.application import create_application
from attnviewer.ui.window.display import missing_display

_PLATFORM = "QT_QPA_PLATFORM"
_INVISIBLE = "attnviewer.invisible"
"""The property of the application that says why its windows cannot be seen."""


def start_drawing() -> None:
    """Make sure that texts can be drawn; what runs already is left as it is.

    Raises
    ------
    RuntimeError
        If Qt has to be started but this is not the main thread, or the application that
        runs cannot draw.
    """
    running = QCoreApplication.instance()
    if isinstance(running, QGuiApplication):
        return
    if running is not None:
        raise RuntimeError(
            "The running Qt application must be a QGuiApplication to draw texts. "
            "Got a QCoreApplication instead."
        )
    if threading.current_thread() is not threading.main_thread():
        raise RuntimeError(
            "The first figure must be drawn in the main thread of Python, as Qt is "
            "started there."
        )
    before = os.environ.get(_PLATFORM)
    reason = missing_display()
    if reason is not None:
        os.environ[_PLATFORM] = "offscreen"
    try:
        # An application with widgets: a window may be opened afterwards.
        create_application().setProperty(_INVISIBLE, reason)
    finally:
        os.environ.pop(_PLATFORM, None)
        if before is not None:
            os.environ[_PLATFORM] = before


def invisible_reason() -> str | None:
    """Return why no window can be seen, or None if one can.

    An application that was not started here may be invisible on purpose.
    """
    running = QCoreApplication.instance()
    if running is None:
        return missing_display()
    reason: str | None = running.property(_INVISIBLE)
    return reason
