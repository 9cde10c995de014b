"""Autosaving changed documents, in case the program crashes."""

import itertools
from dataclasses import astuple
from time import perf_counter

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from attnviewer.document import Document
from attnviewer.document.copying import GradualCopy
from attnviewer.io import DocumentFile
from attnviewer.io.recovery import About, RecoveryFolder
from attnviewer.ui.files.checklist import change_text, summary_of
from attnviewer.ui.files.origins import Origins
from attnviewer.ui.recovery.jobs import AllocateJob, RemoveCopyJob, SaveCopyJob
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.work.time_slices import run_for
from attnviewer.ui.work.worker import NO_MEMORY, Job, Worker

# At worst an edit is made just after the copy: it waits for the rest of this autosave,
# the pause after it, and all of the next one. If an autosave takes k seconds,
# 2 k + max(0.5, 3 (k - 0.5)) may be lost: at most 2 seconds as long as k <= 0.7.
INTERVAL_MS = 500
"""Delay from the first edit to the autosave."""
QUICK, BREATHER = 0.5, 3.0
"""An autosave longer than QUICK seconds is followed by a pause of BREATHER times the
excess: large documents are saved less often, or the disk would never be idle."""
COPYING, PAUSE_MS = 0.002, 4
"""Seconds of a time slice for copying, and milliseconds between two slices."""


class Autosave(QObject):
    """Saves changed documents, open or set aside, to the recovery folder.

    They are copied in the GUI thread, in time slices; a worker writes the copies. A
    document that is saved or no longer changed is removed from the folder.

    Attributes
    ----------
    worker : Worker
        The worker that accesses the folder.
    failed : Signal
        Why an autosave failed; once per series of failures. It is retried.
    works_again : Signal
        An autosave succeeded after failures.
    """

    failed = Signal(str)
    works_again = Signal()

    def __init__(
        self,
        workbench: Workbench,
        origins: Origins,
        folder: RecoveryFolder,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._workbench = workbench
        self._origins = origins
        self._folder = folder
        self._numbers = itertools.count(1)
        self._kept: dict[Document, int] = {}
        self._revisions: dict[Document, int] = {}
        self._waiting: list[Document] = []
        self._current: Document | None = None
        self._copy: GradualCopy | None = None
        self._failing = False
        self._begun_at = self._paused_until = 0.0
        self.worker = Worker(self)
        self.worker.done.connect(self._on_done)
        self._clock = QTimer(self, singleShot=True)
        self._clock.setObjectName("autosave.clock")
        self._clock.timeout.connect(self._begin)
        self._slice_timer = QTimer(self, interval=PAUSE_MS)
        self._slice_timer.setObjectName("autosave.slices")
        self._slice_timer.timeout.connect(self._copy_slice)
        # Deferred: while being set aside, a document is in no list for a moment.
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._schedule)
        edits = workbench.edits
        for signal in (edits.indexChanged, edits.cleanChanged, workbench.opened):
            signal.connect(self._schedule_soon)
        origins.kept.connect(self._schedule_soon)

    def next_number(self) -> int:
        """Return a new document number for the folder."""
        return next(self._numbers)

    def adopt(self, document: Document, number: int) -> None:
        """Record that the folder holds a document in its present state."""
        self._kept[document] = number
        self._revisions[document] = document.revision

    def close(self) -> None:
        """Stop, and remove the folder, as nothing can be lost any more."""
        self._soon.stop()
        self._clock.stop()
        self._drop_copy()
        self.worker.close()
        self._folder.close()

    def _due(self) -> list[Document]:
        """Return the changed documents whose present state has not been autosaved."""
        revisions = self._revisions
        return [d for d in self._workbench.changed if revisions.get(d) != d.revision]

    @Slot()
    def _schedule_soon(self, _data: object = None) -> None:
        self._soon.start()

    @Slot()
    def _schedule(self) -> None:
        """Schedule what has to be saved, and remove what no longer has to."""
        unsaved = set(self._workbench.changed)
        for document in self._kept.keys() - unsaved:
            self._revisions.pop(document, None)
            self.worker.start(RemoveCopyJob(self._folder, self._kept.pop(document)))
        if self._copy is not None and self._copy.document not in unsaved:
            self._drop_copy()
            self._keep_next()
        if self._current is None and not self._clock.isActive() and self._due():
            pause = self._paused_until - perf_counter()
            self._clock.start(max(INTERVAL_MS, int(pause * 1000)))

    @Slot()
    def _begin(self) -> None:
        self._begun_at = perf_counter()
        self._waiting = self._due()
        self._keep_next()

    def _keep_next(self) -> None:
        unsaved = self._workbench.changed
        waiting = [document for document in self._waiting if document in unsaved]
        self._current = waiting.pop() if waiting else None
        self._waiting = waiting
        if self._current is None:
            now = perf_counter()
            self._paused_until = now + BREATHER * (now - self._begun_at - QUICK)
            self._schedule()
        else:
            self.worker.start(AllocateJob(self._current))

    @Slot(object)
    def _on_done(self, job: Job) -> None:
        if isinstance(job, AllocateJob):
            self._start_copying(job)
        elif isinstance(job, SaveCopyJob):
            self._finish(job.reason)

    def _start_copying(self, job: AllocateJob) -> None:
        assert self._current is not None
        if job.reason is not None:
            self._finish(job.reason)
        elif self._current in self._workbench.changed:
            self._copy = GradualCopy(self._current, job.arrays)
            self._slice_timer.start()
            self._copy_slice()
        else:
            self._keep_next()

    @Slot()
    def _copy_slice(self) -> None:
        assert self._copy is not None
        try:
            if run_for(COPYING, self._copy.go_on):
                return
        except MemoryError:
            self._drop_copy()
            self._finish(NO_MEMORY)
        else:
            self._write(self._copy.document, self._copy.finished())

    def _write(self, document: Document, copy: Document) -> None:
        self._drop_copy()
        self.adopt(document, self._kept.get(document) or self.next_number())
        about = self._about(document)
        self.worker.start(SaveCopyJob(self._folder, self._kept[document], copy, about))

    def _about(self, document: Document) -> About:
        origin, stamp = self._origins.origin(document), self._origins.stamp(document)
        # Other origins, such as imports, are not restored from one file.
        whole = isinstance(origin, DocumentFile)
        return About(
            document.title,
            file=str(origin.path.absolute()) if origin and whole else None,
            stamp=astuple(stamp) if stamp and whole else None,
            content=summary_of(document),
            change=change_text(self._workbench.edits.changes(document)),
        )

    def _drop_copy(self) -> None:
        self._slice_timer.stop()
        if self._copy is not None:
            self._copy.close()
            self._copy = None

    def _finish(self, reason: str | None) -> None:
        """Continue with the next document, after success or failure."""
        assert self._current is not None
        if reason is not None:
            self._revisions.pop(self._current, None)
            self._report_failure(reason)
        elif self._failing:
            self._failing = False
            self.works_again.emit()
        self._keep_next()

    def _report_failure(self, reason: str) -> None:
        if not self._failing:
            self._failing = True
            self.failed.emit(reason)
