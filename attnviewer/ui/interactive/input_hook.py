"""Qt's event loop beside a prompt: Python's own, IPython's, or a notebook's."""

import asyncio
import sys
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEvent, QThread
from PySide6.QtWidgets import QApplication

PAUSE_SECONDS = 0.02
"""Pause between processing Qt's events in a notebook, for the kernel's own loop."""


def event_loop_is_running() -> bool:
    """Return whether an event loop runs in this thread."""
    return QThread.currentThread().loopLevel() > 0


def run_beside_prompt(wanted: Callable[[], bool]) -> bool:
    """Process Qt's events beside a prompt.

    Parameters
    ----------
    wanted : callable
        Returns whether that is still needed.

    Returns
    -------
    bool
        Whether there is a prompt.
    """
    shell = _ipython()
    if shell is None:
        # At Python's own prompt, PySide's input hook does it.
        return hasattr(sys, "ps1") or bool(sys.flags.interactive)
    if str(getattr(shell, "active_eventloop", None)).startswith("qt"):
        return True
    if not hasattr(shell, "kernel"):
        shell.enable_gui("qt")
        return True
    # ipykernel's Qt integration delays cells that are queued already, such as all the
    # following ones when a whole notebook is run.
    _EventPump(asyncio.get_event_loop(), wanted).pump()
    return True


class _EventPump:
    """Processes Qt's events from an asyncio loop as long as that is wanted."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, wanted: Callable[[], bool]
    ) -> None:
        self._loop = loop
        self._wanted = wanted

    def pump(self) -> None:
        QApplication.processEvents()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        if self._wanted():
            self._loop.call_later(PAUSE_SECONDS, self.pump)


def _ipython() -> Any:
    """Return the running IPython or notebook shell, if any."""
    module = sys.modules.get("IPython")
    return None if module is None else module.get_ipython()
