"""Qt's event loop beside a prompt: Python's own, IPython's, or a notebook's."""

import asyncio
import sys
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEvent, QThread
from PySide6.QtWidgets import QApplication

PAUSE_SECONDS = 0.02
"""Between two looks at Qt's events in a notebook, whose own loop runs meanwhile."""


def is_turning() -> bool:
    """Return whether an event loop runs in this thread."""
    return QThread.currentThread().loopLevel() > 0


def turn_beside_prompt(wanted: Callable[[], bool]) -> bool:
    """Let Qt's events be seen to beside a prompt.

    Parameters
    ----------
    wanted : callable
        Tells whether that is still needed.

    Returns
    -------
    bool
        Whether there is a prompt.
    """
    shell = _ipython()
    if shell is None:
        # At Python's own prompt PySide sees to it.
        return hasattr(sys, "ps1") or bool(sys.flags.interactive)
    if str(getattr(shell, "active_eventloop", None)).startswith("qt"):
        return True
    if not hasattr(shell, "kernel"):
        shell.enable_gui("qt")
        return True
    # What a kernel calls its integration keeps cells waiting that were sent already,
    # as all are that follow when a whole notebook is run.
    _Turning(asyncio.get_event_loop(), wanted).turn()
    return True


class _Turning:
    """Sees to Qt's events as long as that is wanted."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, wanted: Callable[[], bool]
    ) -> None:
        self._loop = loop
        self._wanted = wanted

    def turn(self) -> None:
        QApplication.processEvents()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        if self._wanted():
            self._loop.call_later(PAUSE_SECONDS, self.turn)


def _ipython() -> Any:
    """Return the shell of IPython or of a notebook that this runs in, if any."""
    module = sys.modules.get("IPython")
    return None if module is None else module.get_ipython()
