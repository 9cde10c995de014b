"""Work beside the window, in a thread of its own."""

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
"""Seconds of work after which is told how far it is."""
TICK = 100
"""Milliseconds from one such news to the next."""


class Stopped(Exception):  # noqa: N818 (it is no error)
    """The result is not wanted any more."""


class Job(Protocol):
    """Something to compute, and where its result is kept.

    A trace may be updated in place at any time by the thread of the window. So a job
    reads copies alone, made in that thread before it starts: a `Snapshot`, or what
    `Trace.cell_gradient` takes. What it keeps is read when it is done.
    """

    stopped: bool
    """Set to give it up."""

    def run(self) -> object:
        """Compute, in the worker.

        Raises
        ------
        MemoryError
            If there is too little of it.
        ValueError, FileError
            If it cannot be computed, read or written.
        Stopped
            If it was given up meanwhile.
        """


class Worker(QObject):
    """Runs jobs one after the other, while the window goes on.

    Parameters
    ----------
    parent : QObject, optional
        Qt's owner.

    Attributes
    ----------
    done : Signal
        A job that has its result.
    failed : Signal
        A job, and why it has none.
    progressed : Signal
        Once a job has taken a while: the job.
    rested : Signal
        There is nothing left to do.
    """

    done = Signal(object)
    failed = Signal(object, str)
    progressed = Signal(object)
    rested = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = QThreadPool(self, maxThreadCount=1)
        # Owned here: a task deleted by the pool must not take its signals along.
        self._signals = _Signals(self)
        self._signals.done.connect(self._on_done)
        self._signals.failed.connect(self._on_failed)
        self._clock = QTimer(self, interval=TICK)
        self._clock.timeout.connect(self._on_tick)
        self._started: dict[Job, float] = {}

    @property
    def jobs(self) -> list[Job]:
        """The jobs that are not done, the oldest first."""
        return list(self._started)

    def start(self, job: Job) -> None:
        """Have a job run when those before it have ended."""
        self._started[job] = perf_counter()
        self._clock.start()
        self._pool.start(_Task(job, self._signals))

    def stop(self, job: Job) -> None:
        """Give a job up; nothing more is told of it."""
        job.stopped = True
        self._drop(job)

    def finish(self) -> None:
        """Wait for all jobs, and tell of them."""
        self._pool.waitForDone()
        QCoreApplication.sendPostedEvents(self, QEvent.Type.MetaCall.value)

    def close(self) -> None:
        """Give up all jobs and wait for the thread."""
        for job in self.jobs:
            self.stop(job)
        self._pool.waitForDone()

    def _drop(self, job: Job) -> bool:
        wanted = self._started.pop(job, None) is not None
        if wanted and not self._started:
            self._clock.stop()
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
        # One that ends while the pool is still starting it is never deleted by PySide.
        # It must not keep its job, and with it a whole model.
        assert job is not None
        if not job.stopped:
            self._tell(job)

    def _tell(self, job: Job) -> None:
        """Run a job, and tell how it ended."""
        try:
            job.run()
        except Stopped:
            return
        except MemoryError:
            self._signals.failed.emit(job, NO_MEMORY)
        except (ValueError, FileError) as error:
            self._signals.failed.emit(job, str(error))
        except Exception as error:
            # Nobody is to wait for it; what went wrong is told by who sees it raised.
            self._signals.failed.emit(job, f"{type(error).__name__}: {error}")
            raise
        else:
            self._signals.done.emit(job)
