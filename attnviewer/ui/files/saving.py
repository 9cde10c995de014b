"""Saving documents, and asking before changes are lost."""

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from attnviewer.document import Document
from attnviewer.io import DocumentFile, FileError, save_session
from attnviewer.io.export import file_stem
from attnviewer.io.session import SUFFIX
from attnviewer.io.stamp import Stamp
from attnviewer.one_line import one_line
from attnviewer.ui.files.file_dialogs import ask_for_session
from attnviewer.ui.files.origins import Origins
from attnviewer.ui.log import log_file
from attnviewer.ui.state.folders import documents_folder
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.views.inputs import InputsPanel
from attnviewer.ui.widgets.notice import NoticeBar
from attnviewer.ui.widgets.pending_input import commit_pending_input


class Saver(QObject):
    """Writes documents to their files.

    Text being typed is committed first.

    Attributes
    ----------
    overtaken : Signal
        The open document was not saved: its file has changed since it was read.
    """

    overtaken = Signal()

    def __init__(
        self,
        workbench: Workbench,
        origins: Origins,
        inputs: InputsPanel,
        notice: NoticeBar,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._window = parent
        self._workbench = workbench
        self._origins = origins
        self._inputs = inputs
        self._notice = notice

    def path(self, document: Document) -> Path | None:
        """Return the file of a document; None if it has none yet."""
        return self._origins.session(document)

    def save(self, _data: object = None) -> None:
        """Save the open document to its file; ask for one if it has none."""
        if reason := self._workbench.withheld_reason:
            self._notice.refuse(reason)
            return
        if self.commit_editors():
            self._save(self._workbench.document)

    @Slot()
    def save_anyway(self) -> None:
        """Save the open document, overwriting external changes to its file."""
        document = self._workbench.document
        path = self.path(document)
        if self.commit_editors() and path is not None:
            self._write(document, path)

    @Slot()
    def save_as(self, _data: object = None) -> None:
        """Ask for a file and save the open document to it."""
        document = self._workbench.document
        if reason := self._workbench.withheld_reason:
            self._notice.refuse(reason)
            return
        if self.commit_editors() and (path := self._ask(document)) is not None:
            self._write(document, path)

    def save_each(self, documents: Iterable[Document]) -> bool:
        """Save documents one after the other; return whether all were saved.

        Stops at the first one that is cancelled or cannot be written.
        """
        return self.commit_editors() and all(map(self._save, documents))

    def commit_editors(self) -> bool:
        """Commit the text being typed; show a notice if it is refused."""
        commit_pending_input()
        taken = self._inputs.commit_editors()
        if not taken:
            self._inputs.show_refused()
            self._notice.refuse(
                self.tr(
                    "A cell holds text that is not valid. Correct it or discard it "
                    "with Escape, then try again."
                )
            )
        return taken

    def _save(self, document: Document) -> bool:
        path = self.path(document)
        if path is None:
            path = self._ask(document)
        elif self._is_overtaken(document, path):
            self._report_overtaken(document, path)
            return False
        return path is not None and self._write(document, path)

    def _is_overtaken(self, document: Document, path: Path) -> bool:
        """Return whether a file has changed since it was read or written here."""
        return Stamp.of(path) not in (self._origins.stamp(document), None)

    def _report_overtaken(self, document: Document, path: Path) -> None:
        if document is self._workbench.document:
            self.overtaken.emit()
            return
        text = self.tr(
            "{file} has changed on disk since “{title}” was read, and was not "
            "overwritten. Choose the document in File ▸ Changed documents to go on."
        )
        name = one_line(path.name)
        self._notice.refuse(text.format(file=name, title=document.title))

    def _write(self, document: Document, path: Path) -> bool:
        try:
            save_session(document, path)
        except FileError as error:
            log_file("could not save", path, error.reason)
            self._refuse(document, error)
            return False
        log_file("saved", path)
        self._notice.dismiss()
        self._workbench.edits.mark_saved(document)
        self._origins.keep(document, DocumentFile(path), Stamp.of(path))
        return True

    def _ask(self, document: Document) -> Path | None:
        suggested = self.path(document)
        if suggested is None:
            suggested = documents_folder() / (file_stem(document.title) + SUFFIX)
        title = self.tr("Save “{title}”").format(title=document.title)
        try:
            return ask_for_session(self._window, title, suggested)
        except FileError as error:
            self._refuse(document, error)
            return None

    def _refuse(self, document: Document, error: FileError) -> None:
        """Say why a document was not saved; another place is for the open one."""
        is_open = document is self._workbench.document
        offers = [(self.tr("&Save as…"), self.save_as)] if is_open else []
        self._notice.refuse(str(error), offers)
