"""The main window that is typed into, and the clocks that watch it."""

import time

import numpy as np
from PySide6.QtCore import QEvent, QEventLoop, QObject, QSize, Qt, QTimer, Slot
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from random_inputs import Inputs

from attnviewer.compute import Spec, run
from attnviewer.document import Document
from attnviewer.ui.features.inputs import InputsFeature
from attnviewer.ui.features.last_edit import LastEditFeature
from attnviewer.ui.window.application import create_appearance
from attnviewer.ui.window.main_window import MainWindow
from attnviewer.ui.work.worker import Worker

SPEC = Spec()
MATRICES = "X", "W_Q", "W_K", "W_V"
SIZE = QSize(1600, 1000)
BLOCK = 256
"""Queries of which weights are compared at once."""
_SILENCE = 0.06
"""Seconds without a paint after which a window is quiet: longer than a view waits."""
_NOTHING = 1e-4
"""Seconds of the processor that a turn of the event loop takes if nothing comes."""


class EditedWindow:
    """A main window whose cells are typed into."""

    def __init__(self, inputs: Inputs, spec: Spec = SPEC) -> None:
        tokens = [str(place) for place in range(len(inputs["X"]))]
        self.document = Document("Benchmark", tokens, inputs, spec)
        self.rng = np.random.default_rng(0)
        self.window = window = MainWindow(create_appearance())
        window.fill(self.document)
        self._watch = _Watch(window)
        self._quiet = Quiet(window)
        self._started = self._began = 0.0
        # The light on what was typed fades for half a second.
        window.feature(InputsFeature).panel.look.set_flashing(False)
        window.resize(SIZE)
        window.show()
        window.activateWindow()
        self._watch.wait()
        settle()

    def type_into(self, matrix: str) -> None:
        """Type a number into a random cell, up to the key that ends it."""
        table = self.window.feature(InputsFeature).panel.table(matrix)
        assert table is not None
        rows, columns = self.document.matrix(matrix).shape
        row, column = int(self.rng.integers(rows)), int(self.rng.integers(columns))
        self.window.activateWindow()
        settle()
        table.setFocus()
        table.setCurrentIndex(table.model().index(row, column))
        text = f"0.{self.rng.integers(1000, 9999)}"  # as large as the others
        QTest.keyClicks(table, text[0])
        QTest.keyClicks(with_keys(), text[1:])
        settle()

    def rest(self, seconds: float) -> None:
        """Do nothing for a while, without letting the processor fall asleep."""
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            QApplication.processEvents()

    def commit(self) -> None:
        """End the edit by its key and wait until all that it changes is painted."""
        settle()  # a window that is open does not leave for later what has come due
        revision = self.document.revision
        self._began, self._started = time.process_time(), time.perf_counter()
        QTest.keyClick(with_keys(), Qt.Key.Key_Return)
        if self.document.revision == revision:
            raise ValueError("The key has changed nothing.")
        self._watch.wait()
        # It tells what the last edit changed, but only after some calm.
        window = self.window
        window.feature(LastEditFeature).release()
        self._quiet.wait(window.workbench.engine.worker)

    def until_painted(self) -> float:
        """Return the seconds from the last edit's key to the step's picture."""
        return self._watch.painted_at - self._started

    def until_quiet(self) -> float:
        """Return the seconds until the window was painted for the last time."""
        return self._quiet.since - self._started

    def processor_time(self) -> float:
        """Return the seconds of all processors until then."""
        return self._quiet.used - self._began

    def error(self) -> float:
        """Return how far the weights lie from those in float64."""
        exact_inputs = {n: a.astype(np.float64) for n, a in self._inputs().items()}
        exact = run(SPEC, exact_inputs)
        trace = self.window.workbench.engine.current.trace
        return max(
            float(np.abs(trace.window("weights", b) - exact.window("weights", b)).max())
            for b in (slice(i, i + BLOCK) for i in range(0, exact.shape("X")[0], BLOCK))
        )

    def close(self) -> None:
        self.window.close()
        self.window.deleteLater()
        settle()

    def _inputs(self) -> Inputs:
        return {name: self.document.matrix(name) for name in MATRICES}


class _Watch(QObject):
    """Knows whether the newest numbers are painted."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._painted = -1
        self.painted_at = 0.0
        window.step_view.painted.connect(self._on_painted)

    def wait(self) -> None:
        """Return when the document is painted as it is now."""
        while self._painted != self._window.document.revision:
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)

    @Slot()
    def _on_painted(self) -> None:
        painted = self._window.workbench.engine.current.revision
        if painted != self._painted:
            self._painted, self.painted_at = painted, time.perf_counter()


class Quiet(QObject):
    """Knows when a window was painted for the last time.

    Attributes
    ----------
    since : float
        When, by `time.perf_counter`.
    used : float
        What the process had used by then, by `time.process_time`, but for the turns
        of the event loop in which nothing came.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.since = self.used = self._idle = 0.0
        self._painted = False
        window.installEventFilter(self)

    def wait(self, worker: Worker | None = None) -> None:
        """Return when no view has anything left to do, nor a worker."""
        self._idle = 0.0
        self._note()
        while True:
            works = worker is not None and bool(worker.jobs)
            if not works and time.perf_counter() - self.since >= _SILENCE:
                return
            before = time.process_time()
            QApplication.processEvents()
            used = time.process_time() - before
            if self._painted:
                self._note()
            elif works:
                time.sleep(1e-3)  # what the worker uses counts
            elif used < _NOTHING:
                self._idle += used

    def _note(self) -> None:
        self.since = time.perf_counter()
        self.used = time.process_time() - self._idle
        self._painted = False

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.UpdateRequest:
            self._painted = True
        return super().eventFilter(watched, event)


class Pulse(QObject):
    """Takes the longest time between two turns of the event loop."""

    def __init__(self) -> None:
        super().__init__()
        self._longest = 0.0
        self._last = time.perf_counter()
        self._timer = QTimer(self, interval=1, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)
        self._timer.start()

    def stop(self) -> float:
        """Return the longest time, the one that ends now included."""
        self._timer.stop()
        self._beat()
        return self._longest

    @Slot()
    def _beat(self) -> None:
        now = time.perf_counter()
        self._longest = max(self._longest, now - self._last)
        self._last = now


def with_keys() -> QWidget:
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


def settle() -> None:
    """Do what is due now."""
    for _ in range(2):  # layouts settle in posted events
        QApplication.processEvents()
    # Only a running event loop deletes by itself what was closed, as editors are.
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
