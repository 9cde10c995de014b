"""Completes the overview of the open step in the background, while it is shown."""

from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from attnviewer.compute import Overview, SketchedOverview
from attnviewer.ui.state.engine import Engine
from attnviewer.ui.state.heads import present_head
from attnviewer.ui.state.selection import SelectionModel
from attnviewer.ui.work.worker import Job, Stopped, Worker

FILL_INTERVAL = 500
"""Milliseconds between two updates of the picture."""
_CALM = 100
"""Milliseconds without an edit or another step before reading begins."""


@dataclass(slots=True, eq=False)
class Filling:
    """Reads what an overview has not read yet.

    Unlike other jobs, it reads what the window shows: whoever changes numbers in place
    stops it first, and waits until it has stopped.

    Parameters
    ----------
    overview : SketchedOverview
        The overview.
    stopped : bool
        Set to stop it; what has been read until then is kept.
    """

    overview: SketchedOverview
    stopped: bool = False

    def run(self) -> None:
        """Read the rest.

        Raises
        ------
        Stopped
            If it was stopped.
        """
        for _ in self.overview.reading(proceed=self._proceed):
            self._proceed()

    def _proceed(self) -> None:
        if self.stopped:
            raise Stopped


class Filler(QObject):
    """Completes the overview of the open step, where it is a sketch.

    Attributes
    ----------
    worker : Worker
        Reads it; reports its progress.
    filled : Signal
        More of the overview has been read.
    failed : Signal
        Why the rest cannot be read.
    """

    filled = Signal()
    failed = Signal(str)

    def __init__(
        self, engine: Engine, selection: SelectionModel, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._engine, self._selection = engine, selection
        self._job: Filling | None = None
        self._cancelled: Overview | None = None
        self.worker = Worker(self)
        self.worker.done.connect(self._on_done)
        self.worker.failed.connect(self._on_failed)
        self._calm = QTimer(self, singleShot=True, interval=_CALM)
        self._calm.timeout.connect(self._start)
        self._ticks = QTimer(self, interval=FILL_INTERVAL)
        self._ticks.timeout.connect(self.filled)
        engine.edited_in_place.connect(self._pause)
        engine.computed.connect(self.follow)
        selection.step_changed.connect(self.follow)
        selection.head_changed.connect(self.follow)
        self.follow()

    def progress(self, job: Job) -> str:
        """Return the progress text of a job."""
        assert isinstance(job, Filling)
        percent = int(100 * job.overview.share)
        return self.tr("reading all cells… {percent} %").format(percent=percent)

    @Slot()
    def cancel(self) -> None:
        """Leave the overview as it is, until the next edit or another step."""
        if self._job is not None:
            self._cancelled = self._job.overview
            self._stop()

    def finish(self) -> None:
        """Complete it now, as for a picture to be saved, and return once it is."""
        self._calm.stop()
        self._start()
        self.worker.finish()

    def close(self) -> None:
        """Stop, and wait for the worker."""
        self._calm.stop()
        self._stop()
        self.worker.close()

    @Slot()
    def follow(self) -> None:
        """Have the overview of the open step completed."""
        self._calm.start()

    @Slot()
    def _pause(self) -> None:
        """Stop reading before numbers are changed."""
        self._cancelled = None
        reading = self._job is not None
        self._stop()
        # A job that was stopped before may still be at its last tile.
        self.worker.finish()
        if reading:
            self._calm.start()

    def _stop(self) -> None:
        job, self._job = self._job, None
        self._ticks.stop()
        if job is not None:
            self.worker.stop(job)

    @Slot()
    def _start(self) -> None:
        overview = self._overview()
        if self._job is not None and self._job.overview is overview:
            return
        self._stop()
        if overview is not self._cancelled:
            self._cancelled = None
        if overview is None or overview is self._cancelled or overview.share == 1:
            return
        self._job = Filling(overview)
        self._ticks.start()
        self.worker.start(self._job)

    def _overview(self) -> SketchedOverview | None:
        """Return the overview of the open step, if it begins as a sketch."""
        computed, step = self._engine.current, self._selection.step
        if computed.steps is None or step not in computed.trace:
            return None
        head = present_head(computed.trace, self._selection.head)
        return computed.steps.sketched(step, head)

    @Slot(object)
    def _on_done(self, job: Filling) -> None:
        if job is self._job:
            self._job = None
            self._ticks.stop()
            self.filled.emit()

    @Slot(object, str)
    def _on_failed(self, job: Filling, reason: str) -> None:
        if job is self._job:
            self.cancel()
            self.failed.emit(reason)
