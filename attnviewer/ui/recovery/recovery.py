"""Offering what was not saved when a process ended."""

from pathlib import Path

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from attnviewer.document import Document
from attnviewer.io import DocumentFile
from attnviewer.io.recovery import Leftover, RecoveryFolder, find_leftovers
from attnviewer.io.session import SUFFIX
from attnviewer.io.stamp import Stamp
from attnviewer.ui.files.opening import Opener
from attnviewer.ui.files.origins import Origins
from attnviewer.ui.files.recent import recent_paths
from attnviewer.ui.recovery.autosave import Autosave
from attnviewer.ui.recovery.dialog import RecoveryDialog, title_of
from attnviewer.ui.recovery.jobs import Clearing, Recovering
from attnviewer.ui.state.folders import data_folder
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.widgets.notice import NoticeBar
from attnviewer.ui.work.worker import Job, Worker


class Recovery(QObject):
    """Keeps the unsaved work of a window, and offers what others have left behind.

    What is recovered is a changed document, with the file that it had: nothing is
    written there unless the person saves it.

    Attributes
    ----------
    offers : bool
        Whether something was left behind, and the person is asked about it.
    """

    def __init__(
        self,
        workbench: Workbench,
        origins: Origins,
        opener: Opener,
        notice: NoticeBar,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._workbench, self._origins = workbench, origins
        self._opener, self._notice, self._window = opener, notice, window
        root = data_folder() / "recovery"
        self._folder = RecoveryFolder(root)
        self._leftovers = find_leftovers(root)
        self._autosave = Autosave(workbench, origins, self._folder, self)
        self._autosave.failed.connect(self._tell_failed)
        self._autosave.worker.done.connect(self._on_done)
        self._refused: list[str] = []
        # Apart from what keeps: a folder of another machine may take its time.
        self._clearer = Worker(self)
        self._clear()
        self.offers = bool(self._leftovers.found)
        if self.offers:
            self._offer()

    def _clear(self) -> None:
        """Have removed what killed processes left half written."""
        sessions = [path for path in recent_paths() if path.suffix == SUFFIX]
        folders = {*self._leftovers.folders, *(path.parent for path in sessions)}
        if folders:
            self._clearer.start(Clearing(folders))

    def _offer(self) -> None:
        dialog = RecoveryDialog(self._leftovers.found, self._window)
        dialog.wanted.connect(self._recover)
        dialog.show()

    @Slot(object)
    def _recover(self, leftover: Leftover) -> None:
        self._refused.clear()
        number = self._autosave.next_number()
        self._autosave.worker.start(Recovering(self._folder, number, leftover))

    @Slot(object)
    def _on_done(self, job: Job) -> None:
        if not isinstance(job, Recovering):
            return
        if job.document is not None:
            self._take(job.document, job)
        else:
            self._refuse(job)

    def _take(self, document: Document, job: Recovering) -> None:
        about = job.leftover.about
        # Among those that were set aside it is safe, whatever keeps it from opening.
        self._workbench.set_unsaved_aside(document)
        self._autosave.adopt(document, job.number)
        if about is not None and about.file is not None:
            stamp = Stamp(*about.stamp) if about.stamp else None
            origin = DocumentFile(Path(about.file))
            self._origins.keep(document, origin, stamp)
        self._opener.reopen(document)
        if self._workbench.document is document:
            told = self.tr("“{title}” is as it was kept. It is not saved yet.")
            self._notice.tell(told.format(title=document.title))

    def _refuse(self, job: Recovering) -> None:
        told = self.tr("{title} cannot be recovered. {reason}")
        if job.apart is not None:
            told += " " + self.tr("The damaged file is kept: {path}")
        title = title_of(job.leftover)
        told = told.format(title=title, reason=job.reason, path=job.apart)
        self._refused.append(told)
        self._notice.refuse("\n".join(self._refused))

    @Slot(str)
    def _tell_failed(self, reason: str) -> None:
        told = self.tr(
            "Unsaved changes cannot be kept for the case of a crash; it will be tried "
            "again. {reason}"
        )
        self._notice.refuse(told.format(reason=reason))

    def close(self) -> None:
        """Keep nothing more, as the window closes."""
        self._clearer.close()
        self._autosave.close()
        self._leftovers.close()
