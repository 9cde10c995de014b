"""Main windows that do not lay out their panels for a while."""

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtWidgets import QApplication, QMainWindow


@contextmanager
def held_layouts() -> Iterator[None]:
    """Keep the panels of all main windows where they are, and lay them out afterwards.

    Qt tells one widget after the other of a new style, and crashes if one of them is
    deleted meanwhile. A main window that lays out its panels deletes separators.
    """
    windows = (w for w in QApplication.topLevelWidgets() if isinstance(w, QMainWindow))
    layouts = [layout for w in windows if (layout := w.layout()) is not None]
    for layout in layouts:
        layout.setEnabled(False)
    try:
        yield
    finally:
        for layout in layouts:
            layout.setEnabled(True)
            layout.update()
            layout.activate()
