"""The reference of a comparison: a pinned state, or one that is computed on demand."""

from dataclasses import dataclass, replace
from itertools import count
from typing import Literal

from PySide6.QtCore import QLocale, QObject, QTime, Signal, Slot

from attnviewer.compute import Trace
from attnviewer.document import Document, Snapshot
from attnviewer.document.comparison import Side
from attnviewer.ui.state.edit_commands import LastEdit
from attnviewer.ui.state.engine import FRAME_COST
from attnviewer.ui.state.undo import EditStack
from attnviewer.ui.work.worker import NO_MEMORY, Worker

ReferenceName = Literal["baseline", "last_edit", "without_pins", "theirs"]
MOST_EARLIER = 8
"""Earlier baselines that are kept besides the current one."""


@dataclass(frozen=True, slots=True, eq=False)
class Reference:
    """A state that the document is compared with, called A in the window.

    Parameters
    ----------
    title : str
        Its title, such as ``Four words, pinned 12:03``.
    snapshot : Snapshot or None
        The state; None if there was not enough memory for it.
    trace : Trace or None
        Its steps; None while they are being computed or if they cannot be.
    trouble : str
        Why they cannot be computed.
    pinned_at : str
        The time at which it was pinned, such as ``12:03``; empty if opened.
    """

    title: str
    snapshot: Snapshot | None
    trace: Trace | None = None
    trouble: str = ""
    pinned_at: str = ""

    @property
    def side(self) -> Side | None:
        """Its steps with its tokens, if they are there."""
        if self.trace is None or self.snapshot is None:
            return None
        return Side(self.trace, self.snapshot.labels)


class BaselineModel(QObject):
    """The baseline that the document is compared with. Views set it and watch it.

    What fits in a frame is computed at once, the rest in a worker, always on copies.
    The state before the last edit is computed on demand, and so is the present one
    without its pins, again after each edit. The steps of an implementation are given.

    Attributes
    ----------
    changed : Signal
        The reference is another one, or its steps have been computed.
    """

    changed = Signal()

    def __init__(self, edits: EditStack, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._edits = edits
        self._choice: ReferenceName = "last_edit"
        self._pinned: Reference | None = None
        self._earlier: list[Reference] = []
        self._last: Reference | None = None
        self._last_command: object = None
        self._unpinned: Reference | None = None
        self._theirs: Reference | None = None
        for signal in (edits.indexChanged, edits.activeStackChanged):
            signal.connect(self._forget_unpinned)
        self._worker = Worker(self)
        self._worker.done.connect(self._on_done)
        self._worker.failed.connect(self._on_failed)

    @property
    def choice(self) -> ReferenceName:
        """The name of the state that A is."""
        return self._choice

    def choose(self, choice: ReferenceName) -> None:
        """Compare with the pinned baseline or with another state, by name."""
        if choice != self._choice:
            self._choice = choice
            self.changed.emit()

    @property
    def pinned(self) -> Reference | None:
        """The pinned state; None if there is none."""
        return self._pinned

    @property
    def earlier(self) -> list[Reference]:
        """The states pinned before the current one, newest first."""
        return list(self._earlier)

    def return_to(self, reference: Reference) -> None:
        """Compare with a state pinned earlier; the current one is kept as well."""
        self._earlier.remove(reference)
        self._set_aside_pinned()
        self._pin(reference)

    @property
    def pinned_at(self) -> str:
        """The time at which it was pinned, such as ``12:03``; empty if opened."""
        return self._pinned.pinned_at if self._pinned is not None else ""

    def pin(self, document: Document | None = None) -> None:
        """Compare with the open document as it is now, or with another one.

        Parameters
        ----------
        document : Document, optional
            Another document to compare with.
        """
        if document is None:
            document = self._edits.document
            time = QLocale().toString(QTime.currentTime(), "HH:mm")
            title = self.tr("{title}, set at {time}").format(
                title=document.title, time=time
            )
        else:
            time, title = "", document.title
        self._set_aside_pinned()
        reference = _taken(self._distinct(title), document)
        self._pin(replace(reference, pinned_at=time))

    def _pin(self, reference: Reference) -> None:
        self._pinned = reference
        if reference.trace is None:
            self._compute(reference)
        self._choice = "baseline"
        self.changed.emit()

    def _set_aside_pinned(self) -> None:
        """Move the pinned state to the earlier ones, if the user pinned it."""
        if self._pinned is not None and self._pinned.pinned_at:
            kept = replace(self._pinned, trace=None, trouble="")
            self._earlier = [kept, *self._earlier][:MOST_EARLIER]
        self._pinned = None

    def _distinct(self, title: str) -> str:
        """Return a title that no earlier baseline has."""
        taken = {reference.title for reference in self._earlier}
        numbered = (f"{title} ({number})" for number in count(2))
        return (
            title
            if title not in taken
            else next(each for each in numbered if each not in taken)
        )

    def unpin(self) -> None:
        """Forget the baseline, and compare with the state before the last edit."""
        self._pinned = None
        self._choice = "last_edit"
        self.changed.emit()

    def set_theirs(self, theirs: Reference | None) -> None:
        """Offer the steps of an implementation, or none any more.

        Parameters
        ----------
        theirs : Reference or None
            The steps that it gave, with the document that they belong to.
        """
        self._theirs = theirs
        if theirs is None and self._choice == "theirs":
            self._choice = "last_edit"
        self.changed.emit()

    def reference(self) -> Reference | None:
        """Return the chosen reference; None if there is none."""
        if self._choice == "baseline":
            return self._pinned
        if self._choice == "theirs":
            return self._theirs
        if self._choice == "last_edit":
            return self.last_edit()
        return self._without_pins()

    def title(self, name: ReferenceName) -> str:
        """Return the title of one of the states; empty if there is none."""
        if name == "baseline":
            return self._pinned.title if self._pinned else ""
        if name == "theirs":
            return self._theirs.title if self._theirs else ""
        if name == "without_pins":
            pinned = any(pin.enabled for pin in self._edits.document.pins)
            return self.tr("without pins") if pinned else ""
        last = self._edits.last
        return self.tr("before “{edit}”").format(edit=last.label) if last else ""

    def last_edit(self) -> Reference | None:
        """Return the state before the last edit; None if there was none."""
        last = self._edits.last
        if last is None:
            self._last = self._last_command = None
            return None
        title = self.title("last_edit")
        # All edits of a scrub share the state before them.
        if self._last is None or last.command is not self._last_command:
            self._last_command = last.command
            self._last = _taken(title, self._edits.document, last)
            self._compute(self._last)
        elif self._last.title != title:
            self._last = replace(self._last, title=title)
        return self._last

    def _without_pins(self) -> Reference | None:
        """Return the present state without its pins; None if none is enabled."""
        title = self.title("without_pins")
        if title and self._unpinned is None:
            self._unpinned = _taken(title, self._edits.document, pins=False)
            self._compute(self._unpinned)
        return self._unpinned

    @Slot()
    def _forget_unpinned(self) -> None:
        self._unpinned = None

    def finish(self) -> None:
        """Wait for what is being computed."""
        self._worker.finish()

    def close(self) -> None:
        """Stop the worker and wait for its thread; its result is dropped."""
        self._pinned = self._last = self._unpinned = self._theirs = None
        self._worker.close()

    def _compute(self, reference: Reference) -> None:
        """Compute the steps of a stored state, here or in the worker."""
        snapshot = reference.snapshot
        if snapshot is None:
            return
        job = _ReferenceJob(snapshot)
        if snapshot.cost() > FRAME_COST:
            self._stop_unwanted()
            self._worker.start(job)
            return
        try:
            job.run()
        except MemoryError:
            self._keep(job, NO_MEMORY)
        except ValueError as error:  # weights that cannot share what pins leave
            self._keep(job, str(error))
        else:
            self._keep(job, "")

    def _stop_unwanted(self) -> None:
        for job in self._worker.jobs:
            assert isinstance(job, _ReferenceJob)
            if not self._is_wanted(job):
                self._worker.stop(job)

    def _keep(self, job: "_ReferenceJob", trouble: str) -> None:
        if self._pinned is not None and self._pinned.snapshot is job.snapshot:
            self._pinned = replace(self._pinned, trace=job.trace, trouble=trouble)
        elif self._last is not None and self._last.snapshot is job.snapshot:
            self._last = replace(self._last, trace=job.trace, trouble=trouble)
        elif self._unpinned is not None and self._unpinned.snapshot is job.snapshot:
            self._unpinned = replace(self._unpinned, trace=job.trace, trouble=trouble)

    def _is_wanted(self, job: "_ReferenceJob") -> bool:
        return any(
            reference is not None and reference.snapshot is job.snapshot
            for reference in (self._pinned, self._last, self._unpinned)
        )

    @Slot(object)
    def _on_done(self, job: "_ReferenceJob") -> None:
        self._report(job, "")

    @Slot(object, str)
    def _on_failed(self, job: "_ReferenceJob", reason: str) -> None:
        self._report(job, reason)

    def _report(self, job: "_ReferenceJob", trouble: str) -> None:
        if self._is_wanted(job):
            self._keep(job, trouble)
            self.changed.emit()


@dataclass(slots=True, eq=False)
class _ReferenceJob:
    """The steps of an earlier state, to be computed."""

    snapshot: Snapshot
    stopped: bool = False
    trace: Trace | None = None

    def run(self) -> None:
        self.trace = self.snapshot.compute()


def _taken(
    title: str, document: Document, last: LastEdit | None = None, *, pins: bool = True
) -> Reference:
    """Take a snapshot of a document as it is, or as it was before an edit.

    With `pins` false, none of its pins holds.
    """
    try:
        if last is not None:
            return Reference(title, Snapshot.before(document, last.inverses))
        snapshot = Snapshot.of(document)
        if not pins:
            snapshot = replace(snapshot, spec=replace(snapshot.spec, pins=()))
        return Reference(title, snapshot)
    except MemoryError:
        return Reference(title, None, trouble=NO_MEMORY)
