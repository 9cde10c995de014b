"""Block means of a large matrix, computed without blocking the window."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from attnviewer.compute import Overview
from attnviewer.ui.work.time_slices import SLICE_SECONDS, run_for

if TYPE_CHECKING:
    from collections.abc import Iterator


class MeansReader(QObject):
    """Computes the block means of a large matrix in small steps of the event loop.

    In the GUI thread, as an edit may change the matrix in place.

    Attributes
    ----------
    finished : Signal
        The means have been computed.
    """

    finished = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._overview: Overview | None = None
        self._reading: Iterator[None] | None = None
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._go_on)

    def read(self, overview: Overview) -> None:
        """Start or continue computing the means of an overview."""
        if overview is not self._overview:
            self._overview, self._reading = overview, overview.reading_means()
        self._timer.start()

    def stop(self) -> None:
        """Stop."""
        self._timer.stop()
        self._overview = self._reading = None

    @Slot()
    def _go_on(self) -> None:
        if not run_for(SLICE_SECONDS, self._read_some):
            self.stop()
            self.finished.emit()

    def _read_some(self) -> bool:
        assert self._reading is not None
        return next(self._reading, True) is None  # a turn returns None, its end True
