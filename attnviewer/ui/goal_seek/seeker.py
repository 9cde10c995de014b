"""Goal seek in a worker, on a copy of the document."""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field

from PySide6.QtCore import QObject, Signal, Slot

from attnviewer.document import Document
from attnviewer.goal_seek import Proposal, seek
from attnviewer.goal_seek.free_numbers import Free
from attnviewer.goal_seek.seeking import Norm
from attnviewer.goal_seek.targets import AnyTarget
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.work.worker import Stopped, Worker


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """A search, for a document as it was at one moment.

    Parameters
    ----------
    document : Document
        The open document.
    revision : int
        Its revision at that moment.
    copied : Document
        A copy of it.
    targets : sequence of Target or RowTarget
        What shall be.
    free : sequence of str or tuple
        What may change.
    limits : dict of str to float
        By how much at most.
    norm : str
        Which change is the smallest.
    """

    document: Document
    revision: int
    copied: Document
    targets: Sequence[AnyTarget]
    free: Sequence[Free]
    limits: dict[str, float]
    norm: Norm

    @classmethod
    def of(
        cls,
        document: Document,
        targets: Sequence[AnyTarget],
        free: Sequence[Free],
        limits: dict[str, float],
        norm: Norm,
    ) -> "Question":
        """Return a question about a document as it is now."""
        revision = document.revision
        return cls(document, revision, copy(document), targets, free, limits, norm)

    def is_about(self, document: Document) -> bool:
        """Return whether it is about a document as it is now."""
        return self.document is document and self.revision == document.revision


@dataclass(slots=True, eq=False)
class SeekJob:
    """Answers a question, in the worker.

    Attributes
    ----------
    share : float
        The share that is done, as far as that is known.
    stopped : bool
        Set to cancel the job.
    proposal : Proposal or None
        The answer.
    """

    question: Question
    share: float = 0.0
    stopped: bool = False
    proposal: Proposal | None = field(default=None, repr=False)

    def run(self) -> None:
        """Seek.

        Raises
        ------
        MemoryError
            If there is not enough memory.
        ValueError
            If the question does not fit the document.
        Stopped
            If it was cancelled.
        """
        asked = self.question
        self.proposal = seek(
            asked.copied,
            asked.targets,
            asked.free,
            asked.limits,
            asked.norm,
            progress=self._report,
        )

    def _report(self, share: float) -> None:
        self.share = share
        if self.stopped:
            raise Stopped


class Seeker(QObject):
    """Answers one question at a time; an edit of the document ends the search.

    Attributes
    ----------
    found : Signal
        A question and its `Proposal`.
    failed : Signal
        Why a search ended without one.
    outdated : Signal
        The document was edited, or another one opened, during a search.
    progressed : Signal
        The share that is done, repeatedly once a search has taken a while.
    """

    found = Signal(object, object)
    failed = Signal(str)
    outdated = Signal()
    progressed = Signal(float)

    def __init__(self, workbench: Workbench, parent: QObject) -> None:
        super().__init__(parent)
        self._workbench = workbench
        self._worker = Worker(self)
        self._worker.done.connect(self._on_done)
        self._worker.failed.connect(self._on_failed)
        self._worker.progressed.connect(self._on_progressed)
        edits = workbench.edits
        for signal in (edits.indexChanged, edits.activeStackChanged):
            signal.connect(self._on_edited)

    @property
    def is_seeking(self) -> bool:
        """Whether a search is going on."""
        return bool(self._worker.jobs)

    def start(self, question: Question) -> None:
        """Seek, in place of what was sought before."""
        self.cancel()
        self._worker.start(SeekJob(question))

    def cancel(self) -> None:
        """Stop seeking; no signal is emitted."""
        self._worker.stop_all()

    def close(self) -> None:
        """Stop seeking, and wait for the thread."""
        self._worker.close()

    @Slot(object)
    def _on_done(self, job: SeekJob) -> None:
        self.found.emit(job.question, job.proposal)

    @Slot(object, str)
    def _on_failed(self, _job: SeekJob, reason: str) -> None:
        self.failed.emit(reason)

    @Slot(object)
    def _on_progressed(self, job: SeekJob) -> None:
        self.progressed.emit(job.share)

    @Slot()
    def _on_edited(self) -> None:
        if self.is_seeking:
            self.cancel()
            self.outdated.emit()
