"""Saving documents, and asking before changes are lost."""

from pathlib import Path
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from attnviewer.document import Document
from attnviewer.io import FileError, file_stem, save_session
from attnviewer.io.session import SUFFIX
from attnviewer.ui.folders import documents_folder
from attnviewer.ui.inputs import InputsPanel
from attnviewer.ui.notice import NoticeBar
from attnviewer.ui.workbench import Workbench


class Saver(QObject):
    """Writes documents to files, and knows which file each has.

    What is being typed is taken over first.

    Parameters
    ----------
    workbench : Workbench
        The open document, and those set aside.
    inputs : InputsPanel
        Where things are typed.
    notice : NoticeBar
        Where failures are told, with a way out.
    parent : QWidget
        The window, for dialogs.

    Attributes
    ----------
    saved : Signal
        A document has a file, perhaps another one than before.
    """

    saved = Signal()

    def __init__(
        self,
        workbench: Workbench,
        inputs: InputsPanel,
        notice: NoticeBar,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._window = parent
        self._workbench = workbench
        self._inputs = inputs
        self._notice = notice
        # A document that is no longer open is not to stay for the sake of its file.
        self._paths: WeakKeyDictionary[Document, Path] = WeakKeyDictionary()

    def path(self, document: Document) -> Path | None:
        """Return the file of a document; None if it has none yet."""
        return self._paths.get(document)

    def keep_source(self, document: Document, source: str) -> None:
        """Remember where a document came from, if that is a session's file."""
        path = Path(source)
        if path.suffix.lower() == SUFFIX:
            self._keep(document, path)

    def save(self, _data: object = None) -> None:
        """Write the open document to its file; ask for one where it has none."""
        if self.take_over():
            self._save(self._workbench.document)

    def save_as(self, _data: object = None) -> None:
        """Ask for a file and write the open document to it."""
        document = self._workbench.document
        if self.take_over() and (path := self._ask(document)) is not None:
            self._write(document, path)

    def save_all(self) -> bool:
        """Write all changed documents; return whether none was left."""
        changed = self._workbench.set_aside
        if not self.take_over():
            return False
        if self._workbench.modified:
            changed.append(self._workbench.document)
        return all(self._save(document) for document in changed)

    def take_over(self) -> bool:
        """Take over what is being typed; say so where that cannot be."""
        taken = self._inputs.take_over()
        if not taken:
            self._inputs.show_refused()
            self._notice.refuse(
                self.tr(
                    "A cell holds a text that cannot be taken over. Correct it or give "
                    "it up with Escape, then try again."
                )
            )
        return taken

    def _save(self, document: Document) -> bool:
        path = self._paths.get(document) or self._ask(document)
        return path is not None and self._write(document, path)

    def _write(self, document: Document, path: Path) -> bool:
        try:
            save_session(document, path)
        except FileError as error:
            if document is self._workbench.document:
                self._notice.offer(str(error), [(self.tr("Save &as…"), self.save_as)])
            else:
                self._notice.refuse(str(error))
            return False
        self._notice.dismiss()
        self._workbench.edits.mark_saved(document)
        self._keep(document, path)
        return True

    def _keep(self, document: Document, path: Path) -> None:
        self._paths[document] = path
        self.saved.emit()

    def _ask(self, document: Document) -> Path | None:
        suggested = self._paths.get(document)
        if suggested is None:
            suggested = documents_folder() / (file_stem(document.title) + SUFFIX)
        name, _filter = QFileDialog.getSaveFileName(
            self._window,
            self.tr("Save “{title}”").format(title=document.title),
            str(suggested),
            self.tr("attnviewer sessions (*{suffix})").format(suffix=SUFFIX),
        )
        if not name:
            return None
        path = Path(name)
        return path if path.suffix else path.with_name(path.name + SUFFIX)
