"""Keeps the trace in step with the document, without ever blocking the window."""

from dataclasses import dataclass
from time import perf_counter

from PySide6.QtCore import QObject, QRunnable, QThreadPool, QTimer, Signal, Slot

from attnviewer.compute import Array, Spec, Trace, run
from attnviewer.document import Change, Document

FRAME_OPERATIONS = 30_000_000
"""About as many multiplications as fit, with the rest of a frame, into 1/60 s."""


@dataclass(frozen=True, slots=True)
class Computed:
    """A trace, and what of the document belongs to it.

    Parameters
    ----------
    trace : Trace
        Every step.
    tokens : tuple of str
        The tokens at that moment.
    revision : int
        The document's revision that was computed.
    edited_at : float or None
        When the edit was made (`time.perf_counter`); None if there was none.
    """

    trace: Trace
    tokens: tuple[str, ...]
    revision: int
    edited_at: float | None


class Engine(QObject):
    """Computes the document anew after each edit.

    All edits of one turn of the event loop are computed once. What fits into a
    frame is computed at once, the rest in a worker on copies of the inputs; an
    answer that an edit has overtaken is dropped.
    """

    computed = Signal(object)
    """A `Computed`, whenever a new one is there."""

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self._compute)
        self._pool = QThreadPool(self, maxThreadCount=1)
        # Owned here: a task deleted by the pool must not take its signal along.
        self._signals = _Signals(self)
        self._signals.done.connect(self._on_done)
        self._edited_at: float | None = None
        self._current: Computed | None = None
        self._document = document
        self.set_document(document)

    @property
    def current(self) -> Computed:
        """The newest trace."""
        assert self._current is not None
        return self._current

    def set_document(self, document: Document) -> None:
        """Compute another document from now on, its first trace at once."""
        self._document.changed.disconnect(self._on_changed, missing_ok=True)
        self._document = document
        self._timer.stop()
        self._edited_at = None
        document.changed.connect(self._on_changed)
        self._publish(self._request().run_now())

    def flush(self) -> None:
        """Compute what is waiting now instead of in the next turn."""
        if self._timer.isActive():
            self._timer.stop()
            self._compute()

    def up_to_date(self) -> Computed:
        """Return the trace of the document as it is now, waiting for it if need be."""
        if self.current.revision != self._document.revision:
            self._timer.stop()
            self._publish(self._request().run_now())
        return self.current

    def close(self) -> None:
        """Stop listening and wait for the worker."""
        self._timer.stop()
        self._document.changed.disconnect(self._on_changed, missing_ok=True)
        self._pool.clear()
        self._pool.waitForDone()

    def _on_changed(self, _change: Change) -> None:
        if self._edited_at is None:
            self._edited_at = perf_counter()
        self._timer.start()

    def _request(self) -> "_Request":
        document = self._document
        return _Request(
            document.spec,
            document.inputs(),
            document.tokens,
            document.revision,
            self._edited_at,
        )

    def _compute(self) -> None:
        request = self._request()
        if request.operations() <= FRAME_OPERATIONS:
            self._publish(request.run_now())
            return
        self._pool.clear()
        self._pool.start(_Task(request, self._signals))

    @Slot(object)
    def _on_done(self, computed: Computed) -> None:
        newest = self._document.revision
        if computed.revision == newest != self.current.revision:
            self._publish(computed)

    def _publish(self, computed: Computed) -> None:
        self._edited_at = None
        self._current = computed
        self.computed.emit(computed)


@dataclass(frozen=True, slots=True)
class _Request:
    spec: Spec
    inputs: dict[str, Array]
    tokens: tuple[str, ...]
    revision: int
    edited_at: float | None

    def operations(self) -> int:
        n, d_model = (int(size) for size in self.inputs["X"].shape)
        widths = [int(a.shape[1]) for name, a in self.inputs.items() if name != "X"]
        projections = n * d_model * sum(widths)
        # Per score: a product over d_k, an exponential, a product over d_v.
        per_score = 2 * d_model + 20
        return projections + self.spec.n_heads * n * n * per_score

    def run_now(self) -> Computed:
        trace = run(self.spec, self.inputs)
        return Computed(trace, self.tokens, self.revision, self.edited_at)


class _Signals(QObject):
    done = Signal(object)


class _Task(QRunnable):
    def __init__(self, request: _Request, signals: _Signals) -> None:
        super().__init__()
        self._request = request
        self._signals = signals

    def run(self) -> None:
        self._signals.done.emit(self._request.run_now())
