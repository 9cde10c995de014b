"""Keeps the trace in step with the document, without ever blocking the window."""

from dataclasses import dataclass
from time import perf_counter

from PySide6.QtCore import QObject, QRunnable, QThreadPool, QTimer, Signal, Slot

from attnviewer.compute import Array, Spec, Trace, cost, run
from attnviewer.document import Change, Document, Labels

FRAME_COST = 40_000_000
"""The work (see `compute.cost`) that fits into a frame beside the painting."""

NO_MEMORY = "There is not enough memory to compute this."


@dataclass(frozen=True, slots=True, eq=False)
class Computed:
    """A trace, and what of the document belongs to it.

    Parameters
    ----------
    trace : Trace
        Every step.
    labels : Labels
        The tokens at that moment.
    revision : int
        The document's revision that was computed.
    edited_at : float or None
        When the edit was made (`time.perf_counter`); None if there was none.
    """

    trace: Trace
    labels: Labels
    revision: int
    edited_at: float | None


class Engine(QObject):
    """Computes the document anew after each edit.

    All edits of one turn of the event loop are computed once. What fits into a
    frame is computed at once, the rest in a worker on copies of the inputs; an
    answer that an edit or another document has overtaken is dropped.

    Parameters
    ----------
    document : Document
        What is computed first.
    parent : QObject, optional
        Qt's owner.
    """

    computed = Signal(object)
    """A `Computed`, whenever a new one is there."""
    delayed = Signal()
    """The newest edit takes more than a frame; `computed` follows when it is done."""
    failed = Signal(str)
    """Why the newest edit cannot be computed; `current` is then older than it."""

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self._compute)
        self._pool = QThreadPool(self, maxThreadCount=1)
        # Owned here: a task deleted by the pool must not take its signals along.
        self._signals = _Signals(self)
        self._signals.done.connect(self._on_done)
        self._signals.failed.connect(self._on_failed)
        self._edited_at: float | None = None
        self._awaited: _Request | None = None
        self._document = document
        self._current = _Request.of(document).compute()
        document.changed.connect(self._on_changed)

    @property
    def current(self) -> Computed:
        """The newest trace."""
        return self._current

    def set_document(self, document: Document) -> None:
        """Compute another document from now on, its first trace at once.

        Raises
        ------
        MemoryError
            If there is too little for it; the engine then stays with the old one.
        """
        first = _Request.of(document).compute()
        self._document.changed.disconnect(self._on_changed, missing_ok=True)
        self._document = document
        self._forget()
        document.changed.connect(self._on_changed)
        self._publish(first)

    def flush(self) -> None:
        """Compute what is waiting now instead of in the next turn."""
        if self._timer.isActive():
            self._timer.stop()
            self._compute()

    def up_to_date(self) -> Computed:
        """Return the trace of the document as it is now, waiting for it if need be.

        Raises
        ------
        MemoryError
            If there is too little to compute it.
        """
        if self._current.revision != self._document.revision:
            newest = self._request().compute()
            self._forget()
            self._publish(newest)
        return self._current

    def close(self) -> None:
        """Stop listening and wait for the worker."""
        self._document.changed.disconnect(self._on_changed, missing_ok=True)
        self._forget()
        self._pool.clear()
        self._pool.waitForDone()

    def _on_changed(self, _change: Change) -> None:
        if self._edited_at is None:
            self._edited_at = perf_counter()
        self._awaited = None
        self._timer.start()

    def _request(self) -> "_Request":
        return _Request.of(self._document, self._edited_at)

    def _forget(self) -> None:
        self._timer.stop()
        self._awaited = None
        self._edited_at = None

    def _compute(self) -> None:
        request = self._request()
        if request.cost() > FRAME_COST:
            self._awaited = request
            self._pool.clear()
            self._pool.start(_Task(request, self._signals))
            self.delayed.emit()
            return
        try:
            self._publish(request.compute())
        except MemoryError:
            self._forget()
            self.failed.emit(NO_MEMORY)

    @Slot(object, object)
    def _on_done(self, request: "_Request", computed: Computed) -> None:
        if request is self._awaited:
            self._awaited = None
            self._publish(computed)

    @Slot(object)
    def _on_failed(self, request: "_Request") -> None:
        if request is self._awaited:
            self._forget()
            self.failed.emit(NO_MEMORY)

    def _publish(self, computed: Computed) -> None:
        self._edited_at = None
        self._current = computed
        self.computed.emit(computed)


@dataclass(frozen=True, slots=True, eq=False)
class _Request:
    """What a trace is computed from: copies, safe in another thread."""

    spec: Spec
    inputs: dict[str, Array]
    labels: Labels
    revision: int
    edited_at: float | None

    @classmethod
    def of(cls, document: Document, edited_at: float | None = None) -> "_Request":
        inputs, revision = document.inputs(), document.revision
        return cls(document.spec, inputs, document.labels, revision, edited_at)

    def cost(self) -> int:
        return cost(self.spec, {name: a.shape for name, a in self.inputs.items()})

    def compute(self) -> Computed:
        trace = run(self.spec, self.inputs)
        return Computed(trace, self.labels, self.revision, self.edited_at)


class _Signals(QObject):
    done = Signal(object, object)
    failed = Signal(object)


class _Task(QRunnable):
    def __init__(self, request: _Request, signals: _Signals) -> None:
        super().__init__()
        self._request = request
        self._signals = signals

    def run(self) -> None:
        try:
            computed = self._request.compute()
        except MemoryError:
            self._signals.failed.emit(self._request)
        else:
            self._signals.done.emit(self._request, computed)
