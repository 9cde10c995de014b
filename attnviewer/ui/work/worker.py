"""Background work, in a thread of its own."""

from time import perf_counter
from typing import Protocol

from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QObject,
    QRunnable,
    QThreadPool,
    QTimer,
    Signal,
    Slot,
)

from attnviewer.io import FileError

NO_MEMORY = (
    "There is not enough memory to compute this. Fewer tokens or fewer heads need less."
)

PATIENCE = 1.0
"""Seconds of work after which its progress is reported."""
TICK = 100
"""Milliseconds between progress reports."""


class Stopped(Exception):  # noqa: N818 (it is no error)
    """The result is no longer wanted."""


class Job(Protocol):
    """Something to compute, and where its result is kept.

    The GUI thread may update a trace in place at any time. So a job reads only copies
    that were made in that thread before it started, such as a `Snapshot`; or its result
    is discarded after an edit, as that of a `CellGradient`. Its results are read when
    it is done.
    """

    stopped: bool
    """Set to cancel the job."""

    def run(self) -> object:
        """Compute, in the worker.

        Raises
        ------
        MemoryError
            If there is not enough memory.
        ValueError, FileError
            If it cannot be computed, read or written.
        Stopped
            If it was cancelled.
        """


class Worker(QObject):
    """Runs jobs one after the other in the background.

    Parameters
    ----------
    parent : QObject, optional
        The parent object.

    Attributes
    ----------
    done : Signal
        A job that has completed.
    failed : Signal
        A job, and why it failed.
    progressed : Signal
        The running job, repeatedly once it has taken a while.
    rested : Signal
        No jobs are left.
    """

    done = Signal(object)
    failed = Signal(object, str)
    progressed = Signal(object)
    rested = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        # Made for the first job: most workers of a window never get one.
        self._thread: _Thread | None = None
        self._started: dict[Job, float] = {}

    @property
    def jobs(self) -> list[Job]:
        """The unfinished jobs, oldest first."""
        return list(self._started)

    def start(self, job: Job) -> None:
        """Queue a job behind those started earlier."""
        if self._thread is None:
            self._thread = self._open()
        self._started[job] = perf_counter()
        self._thread.clock.start()
        self._thread.pool.start(_Task(job, self._thread.signals))

    def stop(self, job: Job) -> None:
        """Cancel a job; no signal is emitted for it."""
        job.stopped = True
        self._drop(job)

    def stop_all(self) -> None:
        """Cancel all jobs; no signal is emitted for them."""
        for job in self.jobs:
            self.stop(job)

    def finish(self) -> None:
        """Wait for all jobs, and deliver their signals."""
        if self._thread is not None:
            self._thread.pool.waitForDone()
        QCoreApplication.sendPostedEvents(self, QEvent.Type.MetaCall.value)

    def close(self) -> None:
        """Cancel all jobs and wait for the thread."""
        self.stop_all()
        if self._thread is not None:
            self._thread.pool.waitForDone()

    def _open(self) -> "_Thread":
        thread = _Thread(self)
        thread.signals.done.connect(self._on_done)
        thread.signals.failed.connect(self._on_failed)
        thread.clock.timeout.connect(self._on_tick)
        return thread

    def _drop(self, job: Job) -> bool:
        wanted = self._started.pop(job, None) is not None
        if wanted and not self._started:
            assert self._thread is not None
            self._thread.clock.stop()
            self.rested.emit()
        return wanted

    @Slot()
    def _on_tick(self) -> None:
        job, started = next(iter(self._started.items()))
        if perf_counter() - started >= PATIENCE:
            self.progressed.emit(job)

    @Slot(object)
    def _on_done(self, job: Job) -> None:
        if self._drop(job):
            self.done.emit(job)

    @Slot(object, str)
    def _on_failed(self, job: Job, reason: str) -> None:
        if self._drop(job):
            self.failed.emit(job, reason)


class _Thread(QObject):
    """A thread, the signals of its tasks, and a clock that ticks while it works."""

    def __init__(self, worker: QObject) -> None:
        super().__init__(worker)
        self.pool = QThreadPool(self, maxThreadCount=1)
        # Owned here: a task deleted by the pool must not delete its signals.
        self.signals = _Signals(self)
        self.clock = QTimer(self, interval=TICK)


class _Signals(QObject):
    done = Signal(object)
    failed = Signal(object, str)


class _Task(QRunnable):
    def __init__(self, job: Job, signals: _Signals) -> None:
        super().__init__()
        self._job: Job | None = job
        self._signals = signals

    def run(self) -> None:
        job, self._job = self._job, None
        # PySide never deletes a task that ends while the pool is still starting it, so
        # the task must not keep its job, and with it a whole model, alive.
        assert job is not None
        if not job.stopped:
            self._run(job)

    def _run(self, job: Job) -> None:
        """Run a job, and signal how it ended."""
        try:
            job.run()
        except Stopped:
            return
        except MemoryError:
            self._signals.failed.emit(job, NO_MEMORY)
        except (ValueError, FileError) as error:
            self._signals.failed.emit(job, str(error))
        except Exception as error:
            # Release whoever waits; the exception hook reports the error itself.
            self._signals.failed.emit(job, f"{type(error).__name__}: {error}")
            raise
        else:
            self._signals.done.emit(job)
