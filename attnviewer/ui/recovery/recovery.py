"""Offering unsaved documents of crashed processes."""

from pathlib import Path

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from attnviewer.document import Document
from attnviewer.io import DocumentFile
from attnviewer.io.recovery import RecoverableDocument, RecoveryFolder, find_recoverable
from attnviewer.io.session import SUFFIX
from attnviewer.io.stamp import Stamp
from attnviewer.ui.files.opening import Opener
from attnviewer.ui.files.origins import Origins
from attnviewer.ui.files.recent import recent_paths
from attnviewer.ui.files.saving import Saver
from attnviewer.ui.recovery.autosave import Autosave
from attnviewer.ui.recovery.dialog import RecoveryDialog, title_of
from attnviewer.ui.recovery.jobs import CleanupJob, RecoverJob
from attnviewer.ui.state.edit_commands import Changes
from attnviewer.ui.state.folders import data_folder
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.widgets.notice import NoticeBar
from attnviewer.ui.work.worker import Job, Worker


class Recovery(QObject):
    """Autosaves a window's documents, and offers those that crashes left behind.

    A recovered document is a changed document with its former file; that file is not
    written to until the user saves.

    Attributes
    ----------
    offers : bool
        Whether there were leftover documents, which a dialog offers.
    """

    def __init__(
        self,
        workbench: Workbench,
        origins: Origins,
        opener: Opener,
        saver: Saver,
        notice: NoticeBar,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._workbench, self._origins = workbench, origins
        self._opener, self._saver = opener, saver
        self._notice, self._window = notice, window
        root = data_folder() / "recovery"
        self._folder = RecoveryFolder(root)
        self._leftovers = find_recoverable(root)
        self._autosave = Autosave(workbench, origins, self._folder, self)
        self._autosave.failed.connect(self._report_failure)
        self._autosave.works_again.connect(self._report_success)
        self._autosave.worker.done.connect(self._on_done)
        self._failure = ""
        self._refused: list[str] = []
        self._recovered: Document | None = None
        # Not the autosave's worker: a network folder may be slow.
        self._clearer = Worker(self)
        self._clear()
        self.offers = bool(self._leftovers.found)
        if self.offers:
            self._offer()

    def _clear(self) -> None:
        """Remove temporary files of killed processes."""
        sessions = [path for path in recent_paths() if path.suffix == SUFFIX]
        folders = {*self._leftovers.folders, *(path.parent for path in sessions)}
        if folders:
            self._clearer.start(CleanupJob(folders))

    def _offer(self) -> None:
        dialog = RecoveryDialog(self._leftovers.found, self._window)
        dialog.wanted.connect(self._recover)
        dialog.show()

    @Slot(object)
    def _recover(self, recoverable: RecoverableDocument) -> None:
        self._refused.clear()
        number = self._autosave.next_number()
        self._autosave.worker.start(RecoverJob(self._folder, number, recoverable))

    @Slot(object)
    def _on_done(self, job: Job) -> None:
        if not isinstance(job, RecoverJob):
            return
        if job.document is not None:
            self._open(job.document, job)
        else:
            self._refuse(job)

    def _open(self, document: Document, job: RecoverJob) -> None:
        about = job.recoverable.about
        change = "" if about is None else about.change
        earlier = Changes(change, 1, job.recoverable.time)
        # Set aside first, so that it is safe even if opening fails.
        self._workbench.set_unsaved_aside(document, earlier)
        self._autosave.adopt(document, job.number)
        if about is not None and about.file is not None:
            stamp = Stamp(*about.stamp) if about.stamp else None
            origin = DocumentFile(Path(about.file))
            self._origins.keep(document, origin, stamp)
        self._opener.reopen(document)
        if self._workbench.document is document:
            text = self.tr("Recovered “{title}”. Not saved yet.")
            text = text.format(title=document.title)
            if self._workbench.set_aside:
                others = self.tr("The others are in File ▸ Changed documents.")
                text = f"{text} {others}"
            self._recovered = document
            self._notice.show_message(text, [(self.tr("&Save"), self._save)])

    @Slot()
    def _save(self) -> None:
        """Save the document that was recovered last, which may be set aside by now."""
        assert self._recovered is not None
        self._saver.save_each([self._recovered])

    def _refuse(self, job: RecoverJob) -> None:
        text = self.tr("{title} cannot be recovered. {reason}")
        if job.damaged_path is not None:
            text += " " + self.tr("The damaged file is kept: {path}")
        title = title_of(job.recoverable)
        text = text.format(title=title, reason=job.reason, path=job.damaged_path)
        self._refused.append(text)
        self._notice.refuse("\n".join(self._refused))

    @Slot(str)
    def _report_failure(self, reason: str) -> None:
        text = self.tr(
            "Unsaved changes could not be autosaved; attnviewer will "
            "try again. {reason}"
        )
        self._failure = text.format(reason=reason)
        self._notice.refuse(self._failure)

    @Slot()
    def _report_success(self) -> None:
        """Replace the report of a failure, if it is still shown."""
        if self._notice.text == self._failure:
            text = self.tr("Unsaved changes are autosaved again.")
            self._notice.show_message(text)

    def close(self) -> None:
        """Stop autosaving, as the window closes."""
        self._clearer.close()
        self._autosave.close()
        self._leftovers.close()
