"""Running Python's cyclic garbage collector from the event loop only."""

import atexit
import gc
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QTimer

INTERVAL_MS = 500


@contextmanager
def collecting_from_event_loop() -> Iterator[None]:
    """Run the garbage collector from the event loop only.

    Left alone, it runs wherever something is allocated: in a worker thread, which must
    not destroy Qt objects, or while Qt holds its signal lock, on which the destructor
    of a Qt object would then deadlock. Only for the application's own process: in a
    Python session, the collector is the session's. What is left when the process ends
    goes with it: looking for garbage in it would take seconds with a model.
    """
    atexit.register(freeze_loaded_objects)
    timer = QTimer(interval=INTERVAL_MS)
    timer.timeout.connect(collect_due_generations)
    timer.start()
    gc.disable()
    try:
        yield
    finally:
        gc.unfreeze()
        gc.enable()
        timer.stop()
        timer.deleteLater()


def freeze_loaded_objects() -> None:
    """Exclude everything loaded so far from collection: it is large and permanent."""
    gc.freeze()


def collect_due_generations() -> None:
    """Collect the generations whose thresholds are exceeded, as Python would."""
    counts = zip(gc.get_count(), gc.get_threshold(), strict=True)
    due = [age for age, (count, threshold) in enumerate(counts) if count > threshold]
    if due:
        gc.collect(max(due))
