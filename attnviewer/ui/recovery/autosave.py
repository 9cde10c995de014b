"""Keeping what is not saved, for the case that the program ends unexpectedly."""

import itertools
from dataclasses import astuple
from time import perf_counter

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from attnviewer.document import Document, GradualCopy
from attnviewer.io import DocumentFile
from attnviewer.io.recovery import About, RecoveryFolder
from attnviewer.ui.files.checklist import change_text, summary_of
from attnviewer.ui.files.origins import Origins
from attnviewer.ui.recovery.jobs import Keeping, MakingRoom, Removing
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.work.time_slices import run_for
from attnviewer.ui.work.worker import NO_MEMORY, Job, Worker

# At worst an edit is made just after the copy was: it waits for the rest of this
# keeping, the pause after it, and all of the next one. If keeping takes k seconds,
# 2 k + max(0.5, 3 (k - 0.5)) may be lost: at most 2 seconds as long as k <= 0.7.
INTERVAL_MS = 500
"""From the first edit that is not kept until keeping it begins."""
QUICK, BREATHER = 0.5, 3.0
"""What keeping takes beyond so many seconds is followed by so many times as much of a
pause: large documents are kept less often, or the disk would never rest."""
COPYING, PAUSE_MS = 0.002, 4
"""Seconds of a turn of the event loop that copying may take, and what lies between."""


class Autosave(QObject):
    """Keeps the changed documents, the open one and those that were set aside.

    In the thread of the window they are copied, a little at a time; a worker writes
    the copies. What is saved, or is as it was, is kept no longer.

    Attributes
    ----------
    worker : Worker
        The thread where the folder is used.
    failed : Signal
        Why documents cannot be kept: once, until one can be. It is tried again.
    """

    failed = Signal(str)

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
        self._begun_at = self._rests_until = 0.0
        self.worker = Worker(self)
        self.worker.done.connect(self._on_done)
        self._clock = QTimer(self, singleShot=True)
        self._clock.setObjectName("autosave.clock")
        self._clock.timeout.connect(self._begin)
        self._turns = QTimer(self, interval=PAUSE_MS)
        self._turns.setObjectName("autosave.turns")
        self._turns.timeout.connect(self._go_on)
        # Not at once: a document that is being set aside is nowhere for a moment.
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._look)
        edits = workbench.edits
        for signal in (edits.indexChanged, edits.cleanChanged, workbench.opened):
            signal.connect(self._look_soon)
        origins.kept.connect(self._look_soon)

    def next_number(self) -> int:
        """Return the number of one more document in the folder."""
        return next(self._numbers)

    def adopt(self, document: Document, number: int) -> None:
        """Take a document as kept in the folder as it is now."""
        self._kept[document] = number
        self._revisions[document] = document.revision

    def close(self) -> None:
        """Keep nothing any more, as nothing can be lost."""
        self._soon.stop()
        self._clock.stop()
        self._drop_copy()
        self.worker.close()
        self._folder.close()

    def _due(self) -> list[Document]:
        """Return the documents that are not kept as they are."""
        revisions = self._revisions
        return [d for d in self._workbench.changed if revisions.get(d) != d.revision]

    @Slot()
    def _look_soon(self, _data: object = None) -> None:
        self._soon.start()

    @Slot()
    def _look(self) -> None:
        """Find out what is to be kept, and what no longer."""
        unsaved = set(self._workbench.changed)
        for document in self._kept.keys() - unsaved:
            self._revisions.pop(document, None)
            self.worker.start(Removing(self._folder, self._kept.pop(document)))
        if self._copy is not None and self._copy.document not in unsaved:
            self._drop_copy()
            self._keep_next()
        if self._current is None and not self._clock.isActive() and self._due():
            pause = self._rests_until - perf_counter()
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
            self._rests_until = now + BREATHER * (now - self._begun_at - QUICK)
            self._look()
        else:
            self.worker.start(MakingRoom(self._current))

    @Slot(object)
    def _on_done(self, job: Job) -> None:
        if isinstance(job, MakingRoom):
            self._start_copying(job)
        elif isinstance(job, Keeping):
            self._finish(job.reason)

    def _start_copying(self, job: MakingRoom) -> None:
        assert self._current is not None
        if job.reason is not None:
            self._finish(job.reason)
        elif self._current in self._workbench.changed:
            self._copy = GradualCopy(self._current, job.room)
            self._turns.start()
            self._go_on()
        else:
            self._keep_next()

    @Slot()
    def _go_on(self) -> None:
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
        self.worker.start(Keeping(self._folder, self._kept[document], copy, about))

    def _about(self, document: Document) -> About:
        origin, stamp = self._origins.origin(document), self._origins.stamp(document)
        # Otherwise it can be made anew, but not by reading the file alone.
        whole = isinstance(origin, DocumentFile)
        return About(
            document.title,
            file=str(origin.path.absolute()) if origin and whole else None,
            stamp=astuple(stamp) if stamp and whole else None,
            content=summary_of(document),
            change=change_text(self._workbench.edits.changes(document)),
        )

    def _drop_copy(self) -> None:
        self._turns.stop()
        if self._copy is not None:
            self._copy.close()
            self._copy = None

    def _finish(self, reason: str | None) -> None:
        """Go on with the next document, as one has been kept or has not."""
        assert self._current is not None
        if reason is not None:
            self._revisions.pop(self._current, None)
            self._tell(reason)
        else:
            self._failing = False
        self._keep_next()

    def _tell(self, reason: str) -> None:
        if not self._failing:
            self._failing = True
            self.failed.emit(reason)
