"""Keeps the trace up to date with the document without blocking the window."""

from time import perf_counter

from PySide6.QtCore import QObject, Qt, Signal, Slot

from attnviewer.compute import cost
from attnviewer.document import Change, Document
from attnviewer.ui.state.building import Build
from attnviewer.ui.state.live import NO_VEIL, Computed, Precision, Veil
from attnviewer.ui.work.worker import NO_MEMORY, Worker

__all__ = ["FRAME_COST", "Computed", "Engine"]

FRAME_COST = 150_000_000
"""The work (see `compute.cost`) that fits in a frame besides painting."""
FRAME_CELLS = 4_000_000
"""The most numbers of a document that are copied and checked within a frame."""
PATIENT_COST, SHARE = 3_500_000_000, 0.6
"""Work up to the first, about a tenth of a second with the overviews that follow, is
done in place if it is at most such a share of the worker's, which recomputes all."""


class Engine(QObject):
    """Brings the steps of the document up to date after each edit.

    All edits of one pass of the event loop are handled together. What fits in a frame
    is computed in place before the pass ends. Otherwise a worker recomputes all steps
    while the existing ones can be read; edits made meanwhile are taken up when it is
    done, so that the views keep up however fast the edits come.

    Attributes
    ----------
    worker : Worker
        Recomputes all steps; reports its progress.
    """

    computed = Signal(object)
    """Carries each new `Computed`."""
    edited_in_place = Signal()
    """Numbers of `current` are about to change."""
    delayed = Signal()
    """The newest edit takes more than a frame; `computed` follows."""
    failed = Signal(str)
    """Carries why the newest edit cannot be computed; `current` is then outdated."""
    cancelled = Signal()
    """The newest edit was cancelled; `current` is outdated until `recompute`."""
    prepared = Signal(object)
    """Carries a document that can now be set without a wait."""
    unprepared = Signal(object, str)
    """Carries a document that cannot be computed, and why; "" if it was cancelled."""
    given_up = Signal()
    """The document being prepared is not wanted any more."""
    _edited = Signal()

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._is_waiting = False
        # Posted, so that it comes before the paint that an edit of a table asks for.
        self._edited.connect(self.flush, Qt.ConnectionType.QueuedConnection)
        self.worker = Worker(self)
        self.worker.done.connect(self._on_done)
        self.worker.failed.connect(self._on_failed)
        self._precision: Precision | None = None
        self._edited_at: float | None = None
        self._changes: list[Change] = []  # not yet in the steps
        self._anew = False
        self._awaited: Build | None = None
        self._preparing: Build | None = None
        self._ready: Build | None = None
        self._veil = NO_VEIL
        self._document = document
        self._live = Build.of_unedited(document, None).run()
        self._live.spare_copies(document)
        self._current = self._live.computed(None, anew=True)
        document.changed.connect(self._on_changed)

    @property
    def current(self) -> Computed:
        """The newest trace."""
        return self._current

    @property
    def is_waiting(self) -> bool:
        """Whether edits are pending for the next pass of the event loop."""
        return self._is_waiting

    @property
    def is_behind(self) -> bool:
        """Whether a worker is computing an edit that `current` does not include yet."""
        return self._awaited is not None

    @property
    def precision(self) -> Precision | None:
        """The precision; None if the number of tokens decides."""
        return self._precision

    def choose_precision(self, precision: Precision | None) -> None:
        """Compute in another precision; None lets the number of tokens decide."""
        if precision != self._precision:
            self._precision = precision
            self._anew = True
            self._compute()

    @property
    def veil(self) -> Veil:
        """The withheld parts of the document."""
        return self._veil

    def withhold(self, veil: Veil) -> None:
        """Publish nothing of what is under a veil, until another document is set."""
        if veil != self._veil:
            self._veil = veil
            self._publish(None, anew=True)

    @staticmethod
    def fits_a_frame(document: Document) -> bool:
        """Return whether a document can be computed within a frame."""
        cells = sum(document.matrix(n).size for n in document.spec.input_names)
        return _cost(document) <= FRAME_COST and cells <= FRAME_CELLS

    def is_preparing(self, build: Build) -> bool:
        """Return whether a build is the one that `prepare` has started."""
        return build is self._preparing

    @property
    def preparing(self) -> Document | None:
        """The document being prepared, until it is ready."""
        return None if self._preparing is None else self._preparing.document

    def prepare(self, document: Document) -> None:
        """Compute a document in the worker, so that it can be set without a wait.

        The current one stays live meanwhile; `prepared` is emitted when the other is
        ready. The newest request wins.
        """
        self._give_up_preparing()
        self._preparing = Build.of_unedited(document, self._precision)
        self._preparing.heads = frozenset({0})
        self.worker.start(self._preparing)
        self.delayed.emit()

    def make_ready(self, document: Document) -> None:
        """Compute a document in this thread, unless it is prepared already.

        Raises
        ------
        MemoryError
            If there is too little for it.
        ValueError
            If a number is too large for the chosen precision.
        """
        if self._ready is None or not self._ready.is_of(document):
            build = Build.of_unedited(document, self._precision)
            build.run()
            self._ready = build

    def set_document(self, document: Document) -> None:
        """Switch to another document; its first trace is computed at once.

        Raises
        ------
        MemoryError, ValueError
            As `make_ready` does; the engine then stays with the old one.
        """
        self.make_ready(document)
        ready = self._ready
        assert ready is not None
        self._give_up_preparing()
        self._document.changed.disconnect(self._on_changed, missing_ok=True)
        self._document = document
        self._forget()
        document.changed.connect(self._on_changed)
        self._take(ready)

    @Slot()
    def flush(self) -> None:
        """Compute pending edits now instead of in the next pass of the event loop."""
        if self._is_waiting:
            self._is_waiting = False
            self._compute()

    def catch_up(self) -> bool:
        """Take up pending edits; return whether `current` includes the newest one.

        If not, one of the signals will report the outcome.
        """
        if self._current.revision != self._document.revision:
            self._is_waiting = False
            self._compute()
        return self._current.revision == self._document.revision

    @Slot()
    def recompute(self) -> None:
        """Compute a cancelled edit."""
        self._compute()

    def give_up(self) -> None:
        """Cancel `prepare` in favour of another request."""
        if self._preparing is not None:
            self._give_up_preparing()
            self.given_up.emit()

    @Slot()
    def cancel(self) -> None:
        """Cancel the worker's job."""
        if self._awaited is not None:
            self._stop()
            self._edited_at = None
            self.cancelled.emit()
        if self._preparing is not None:
            document = self._preparing.document
            self._give_up_preparing()
            self.unprepared.emit(document, "")

    def close(self) -> None:
        """Stop listening and wait for the worker."""
        self._document.changed.disconnect(self._on_changed, missing_ok=True)
        self._forget()
        self._give_up_preparing()
        self.worker.close()

    def _on_changed(self, change: Change) -> None:
        if self._edited_at is None:
            self._edited_at = perf_counter()
        self._changes.append(change)
        if not self._is_waiting:
            self._is_waiting = True
            self._edited.emit()

    def _forget(self) -> None:
        """Drop everything pending for the document."""
        self._is_waiting = False
        self._stop()
        self._edited_at = None
        self._changes.clear()
        self._anew = False
        self._veil = NO_VEIL

    def _stop(self) -> None:
        if self._awaited is not None:
            self.worker.stop(self._awaited)
            self._awaited = None

    def _give_up_preparing(self) -> None:
        if self._preparing is not None:
            self.worker.stop(self._preparing)
        self._preparing = self._ready = None

    @Slot()
    def _compute(self) -> None:
        if self._awaited is not None:
            self.delayed.emit()  # taken up when the worker is done
            return
        try:
            self._update()
        except MemoryError:
            self._give_way(NO_MEMORY)
        except ValueError as error:
            self._give_way(str(error))

    def _update(self) -> None:
        """Compute all pending changes, here or in the worker."""
        document = self._document
        whole, anew = _cost(document), self._is_anew()
        if anew and whole <= FRAME_COST:
            build = Build.of(document, self._precision)
            build.edited_at = self._edited_at
            build.run()
            self._take(build)
        elif anew:
            self._start(Build.of(document, self._precision))
        elif self._is_quick(whole):
            self.edited_in_place.emit()
            self._anew = True  # unless it succeeds
            self._live.follow(document, self._changes)
            self._changes.clear()
            self._anew = False
            self._publish(self._edited_at, anew=False)
        else:
            # Nothing else writes to its arrays until it is done.
            snapshot = self._live.snapshot(document, self._changes)
            self._start(Build(document, snapshot, document.revision, self._precision))

    def _is_anew(self) -> bool:
        return self._anew or any(change.matrix is None for change in self._changes)

    def _is_quick(self, whole: int) -> bool:
        if whole <= FRAME_COST:
            return True
        own = sum(self._live.cost(change) for change in self._changes)
        return own <= FRAME_COST or own <= min(PATIENT_COST, SHARE * whole)

    def _start(self, build: Build) -> None:
        build.edited_at, self._edited_at = self._edited_at, None
        build.heads = self._live.steps.heads_looked_at
        self._awaited = build
        self.worker.start(build)
        self.delayed.emit()

    @Slot(object)
    def _on_done(self, build: Build) -> None:
        if build is self._awaited:
            self._awaited = None
            self._take(build)
            if self._changes or self._anew:
                self._compute()
        elif build is self._preparing:
            self._preparing, self._ready = None, build
            self.prepared.emit(build.document)

    @Slot(object, str)
    def _on_failed(self, build: Build, reason: str) -> None:
        if build is self._awaited:
            self._awaited = None
            self._give_way(reason)
        elif build is self._preparing:
            self._preparing = None
            self.unprepared.emit(build.document, reason)

    def _give_way(self, reason: str) -> None:
        self._edited_at = None
        self.failed.emit(reason)

    def _take(self, build: Build) -> None:
        """Publish the result of a build."""
        assert build.live is not None
        self._live = build.live
        self._anew = build.precision != self._precision
        self._changes = [c for c in self._changes if c.revision > build.revision]
        if not self._is_anew():
            self._live.spare_copies(self._document)
        self._publish(build.edited_at, anew=True)

    def _publish(self, edited_at: float | None, *, anew: bool) -> None:
        if not self._changes:
            self._edited_at = None
        computed = self._live.computed(edited_at, anew=anew)
        self._current = computed.without(self._veil)
        self.computed.emit(self._current)


def _cost(document: Document) -> int:
    used = document.spec.input_names
    return cost(document.spec, {name: document.matrix(name).shape for name in used})
