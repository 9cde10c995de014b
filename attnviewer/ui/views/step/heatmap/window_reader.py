"""Reads a window of a large matrix without blocking the window on the screen."""

from time import perf_counter

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal, Slot

from attnviewer.compute import BoolArray, Pooled
from attnviewer.compute.windowed.pooled_reading import PooledReading
from attnviewer.ui.paint.step_content import StepContent
from attnviewer.ui.work.time_slices import SLICE_SECONDS, run_for

STILL_MS = 30
"""How long a view stands still before its cells are read, in ms."""
FIRST_CELLS = 2**16
"""Cells that the first piece takes."""
QUICK, SLOW = 0.002, 0.004
"""Seconds below and above which a piece gets longer or shorter."""


class WindowReader(QObject):
    """Reads what is visible of a matrix, in small steps of the event loop.

    A window that can be read within such a step is read at once. In the GUI thread, as
    an edit may change the matrix in place.

    Attributes
    ----------
    finished : Signal
        The window has been read, later than at once.
    """

    finished = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._content: StepContent | None = None
        self._reading: PooledReading | None = None
        self._shown: list[BoolArray] = []
        self._count = 1
        self._spent = 0.0
        self._long = False
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._go_on)

    @property
    def waits(self) -> bool:
        """Whether a window is still to be read."""
        return self._timer.isActive()

    def ask(self, content: StepContent, reading: PooledReading) -> bool:
        """Read a window of a step; return whether that is done already.

        Earlier requests are dropped.
        """
        if content is not self._content:
            self._content, self._long = content, False
            self._count = max(1, FIRST_CELLS // _cells_per_row(content, reading))
        self._reading, self._shown, self._spent = reading, [], 0.0
        self._timer.stop()
        # While a view moves, trying again what took long only costs time.
        if not self._long and not run_for(SLICE_SECONDS, self._read_some):
            return True
        self._timer.start(STILL_MS)
        return False

    def follow(self, content: StepContent) -> None:
        """Go on with a content of the same numbers."""
        self._content = content

    def stop(self) -> None:
        """Stop, and release the matrix."""
        self._timer.stop()
        self._content = self._reading = None
        self._shown = []

    def finish(self) -> None:
        """Read the rest at once."""
        if self.waits:
            while self._read_some():
                pass
            self._end()

    def picture(self) -> tuple[Pooled, BoolArray | None]:
        """Return what was read, and which cells the filter shows, None for all."""
        assert self._reading is not None
        shown = np.concatenate(self._shown) if self._shown else None
        return self._reading.picture(), shown

    @Slot()
    def _go_on(self) -> None:
        self._timer.setInterval(0)
        if not run_for(SLICE_SECONDS, self._read_some):
            self._end()

    def _end(self) -> None:
        self._timer.stop()
        self._long = self._spent > SLICE_SECONDS
        self.finished.emit()

    def _read_some(self) -> bool:
        content, reading = self._content, self._reading
        assert content is not None
        assert reading is not None
        begun = perf_counter()
        rows = reading.read(self._count)
        if max(reading.block) == 1 and content.look.filter is not None:
            shown = content.shown(rows, reading.seen[1])
            assert shown is not None
            self._shown.append(shown)
        spent = perf_counter() - begun
        self._spent += spent
        if spent > SLOW:
            self._count = max(1, self._count // 2)
        elif spent < QUICK and rows.stop - rows.start == self._count:
            self._count *= 2
        return not reading.done


def _cells_per_row(content: StepContent, reading: PooledReading) -> int:
    """Return how many cells a row takes: all of them until the overview is complete."""
    assert content.overview is not None
    if content.overview.share < 1:
        return content.shape[1]
    return reading.seen[1].stop - reading.seen[1].start
