"""Python's garbage collector runs from the event loop, or not at all."""

import gc
import re
import subprocess
import sys
import weakref

from PySide6.QtCore import QObject

from attnviewer.ui.window import garbage_collection
from attnviewer.ui.window.garbage_collection import collecting_from_event_loop


class Circle(QObject):
    def __init__(self):
        super().__init__()
        self.itself = self


def test_circles_are_collected_by_the_event_loop_and_not_before(qtbot, monkeypatch):
    monkeypatch.setattr(garbage_collection, "INTERVAL_MS", 1)
    monkeypatch.setattr(gc, "get_threshold", lambda: (0, 0, 0))
    with collecting_from_event_loop():
        assert not gc.isenabled()
        circle = weakref.ref(Circle())
        kept = [[] for _ in range(100_000)]  # would have triggered the collector
        assert circle() is not None
        qtbot.waitUntil(lambda: circle() is None)
        assert len(kept) == 100_000
    assert gc.isenabled()


def test_the_process_ends_without_looking_for_garbage_among_what_is_left():
    program = """
import gc
from PySide6.QtCore import QCoreApplication
from attnviewer.ui.window.garbage_collection import collecting_from_event_loop
application = QCoreApplication([])
with collecting_from_event_loop():
    left = [[] for _ in range(100_000)]
gc.set_debug(gc.DEBUG_STATS)
"""
    command = [sys.executable, "-c", program]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    looked_at = re.findall("in each generation: (.*)", ended.stderr)
    assert looked_at  # by Python, as it ends
    assert max(sum(map(int, line.split())) for line in looked_at) < 100_000
