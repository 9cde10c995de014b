"""All steps of a document computed anew, in a worker if need be."""

from dataclasses import dataclass
from time import perf_counter

from PySide6.QtCore import QObject, QRunnable, QThreadPool, QTimer, Signal, Slot

from attnviewer.compute import Engine as LiveSteps
from attnviewer.document import Document, Snapshot
from attnviewer.ui.live import Live, Precision

NO_MEMORY = (
    "There is not enough memory to compute this. Fewer tokens or fewer heads need less."
)

PATIENCE = 1.0
"""Seconds of work after which is told how far it is."""
TICK = 100
"""Milliseconds from one such news to the next."""

_STEPS_SHARE, _OUTPUT_SHARE = 0.5, 0.6
"""Share of the work that is done with the weights, and with the output."""


class Stopped(Exception):  # noqa: N818 (it is no error)
    """The result is not wanted any more."""


@dataclass(slots=True, eq=False)
class Build:
    """All steps of a document, to be computed anew.

    Parameters
    ----------
    document : Document
        Whose steps they are; it is not read any more.
    snapshot : Snapshot
        What they are computed from.
    revision : int
        The document's revision.
    precision : str or None
        The type; None where the number of tokens decides.
    heads : frozenset of int, optional
        Heads of which overviews are made as well, because they are looked at.
    edited_at : float or None
        When the edit was made that it is for.

    Attributes
    ----------
    share : float
        How much of it is done.
    stopped : bool
        Set to give it up.
    live : Live or None
        The result.
    """

    document: Document
    snapshot: Snapshot
    revision: int
    precision: Precision | None = None
    heads: frozenset[int] = frozenset()
    edited_at: float | None = None
    share: float = 0.0
    stopped: bool = False
    live: Live | None = None

    @classmethod
    def of(cls, document: Document, precision: Precision | None) -> "Build":
        """Take a document as it is now."""
        snapshot = Snapshot.of(document)
        return cls(document, snapshot, document.revision, precision)

    def is_of(self, document: Document) -> bool:
        """Return whether it is of a document as it is now."""
        return self.document is document and self.revision == document.revision

    def run(self) -> Live:
        """Compute everything.

        Raises
        ------
        MemoryError
            If there is too little of it.
        ValueError
            If a number is too large for the type.
        Stopped
            If it was given up meanwhile.
        """
        steps = self._steps()
        self._tell(_STEPS_SHARE)
        self._look_over(steps)
        self.live = Live(steps, self.snapshot, self.revision)
        return self.live

    def _look_over(self, steps: LiveSteps) -> None:
        trace = steps.trace()
        places = [(s, h) for s in trace for h in self.heads if h < trace.spec.n_heads]
        for number, (step, head) in enumerate(places):
            self._tell(_OUTPUT_SHARE + (1 - _OUTPUT_SHARE) * number / len(places))
            steps.overview(step, head)
            if trace.stages[step].signed:
                trace.limits(step)  # which has overviews of its own

    def _steps(self) -> LiveSteps:
        spec, inputs = self.snapshot.spec, self.snapshot.inputs
        try:
            return LiveSteps(spec, inputs, self.precision, self._tell_steps)
        except ValueError:
            if self.precision is not None:
                raise
            # Numbers too large for single precision.
            return LiveSteps(spec, inputs, "float64", self._tell_steps)

    def _tell_steps(self, share: float) -> None:
        self._tell(_STEPS_SHARE * share)

    def _tell(self, share: float) -> None:
        self.share = share
        if self.stopped:
            raise Stopped


class Builder(QObject):
    """Runs builds in a worker, one after the other.

    Attributes
    ----------
    done : Signal
        A build that has its result.
    failed : Signal
        A build, and why it has none.
    progressed : Signal
        Once a build has taken a while: the build.
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
        self._running: dict[Build, float] = {}

    def start(self, build: Build) -> None:
        """Have a build run when those before it have ended."""
        self._running[build] = perf_counter()
        self._clock.start()
        self._pool.start(_Task(build, self._signals))

    def stop(self, build: Build) -> None:
        """Give a build up; nothing more is told of it."""
        build.stopped = True
        self._drop(build)

    def close(self) -> None:
        """Give up all builds and wait for the worker."""
        for build in list(self._running):
            self.stop(build)
        self._pool.waitForDone()

    def _drop(self, build: Build) -> bool:
        wanted = self._running.pop(build, None) is not None
        if wanted and not self._running:
            self._clock.stop()
            self.rested.emit()
        return wanted

    @Slot()
    def _on_tick(self) -> None:
        build, started = next(iter(self._running.items()))
        if perf_counter() - started >= PATIENCE:
            self.progressed.emit(build)

    @Slot(object)
    def _on_done(self, build: Build) -> None:
        if self._drop(build):
            self.done.emit(build)

    @Slot(object, str)
    def _on_failed(self, build: Build, reason: str) -> None:
        if self._drop(build):
            self.failed.emit(build, reason)


class _Signals(QObject):
    done = Signal(object)
    failed = Signal(object, str)


class _Task(QRunnable):
    def __init__(self, build: Build, signals: _Signals) -> None:
        super().__init__()
        self._build = build
        self._signals = signals

    def run(self) -> None:
        try:
            self._build.run()
        except Stopped:
            return
        except MemoryError:
            self._signals.failed.emit(self._build, NO_MEMORY)
        except ValueError as error:
            self._signals.failed.emit(self._build, str(error))
        else:
            self._signals.done.emit(self._build)
