"""When Python looks for objects that only refer to each other."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QTimer

INTERVAL_MS = 500


@contextmanager
def collecting_between_turns() -> Iterator[None]:
    """Let Python's collector run between two turns of the event loop alone.

    By itself it runs wherever something is allocated: in a worker, which must not end
    an object of Qt's, or while Qt holds the lock on its signals, which the end of such
    an object then waits for for ever. Only for a process of the application's own: the
    collector of a Python session is the session's.
    """
    timer = QTimer(interval=INTERVAL_MS)
    timer.timeout.connect(collect_what_is_due)
    timer.start()
    gc.disable()
    try:
        yield
    finally:
        gc.unfreeze()
        gc.enable()
        timer.stop()
        timer.deleteLater()


def keep_what_is_loaded() -> None:
    """Look through what there is no more: it stays for good, and is much to look at."""
    gc.freeze()


def collect_what_is_due() -> None:
    """Do what Python would have done by itself."""
    counts = zip(gc.get_count(), gc.get_threshold(), strict=True)
    due = [age for age, (count, threshold) in enumerate(counts) if count > threshold]
    if due:
        gc.collect(max(due))
