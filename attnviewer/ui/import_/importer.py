"""Importing: from files or pasted text to an open document."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QMimeData, QObject, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QWidget

from attnviewer.document.array_roles.assignment import Assignment
from attnviewer.document.array_roles.suggesting import Suggestion
from attnviewer.document.text.blocks import parse_block
from attnviewer.document.text.printed import printed_arrays
from attnviewer.io import DocumentFile
from attnviewer.io.importing import Arrays, ImportedFiles, holds_matrices
from attnviewer.io.matrices.collected import left_out_notices
from attnviewer.io.matrices.csv_file import read_csv_text
from attnviewer.io.matrices.read import READERS
from attnviewer.one_line import one_line
from attnviewer.ui.files.opening import Opener
from attnviewer.ui.files.origins import Origins
from attnviewer.ui.import_.dialog import AssignDialog
from attnviewer.ui.import_.reading import ArraysReading, DocumentMaking
from attnviewer.ui.state.folders import documents_folder
from attnviewer.ui.widgets.notice import NoticeBar
from attnviewer.ui.work.worker import Worker

PASTED = "pasted"
"""The name of a pasted array."""


class Importer(QObject):
    """Reads arrays in the background, asks for their roles, and opens the document.

    Attributes
    ----------
    case_found : Signal
        The path of an opened file with what an implementation gave.
    """

    case_found = Signal(object)

    def __init__(
        self, opener: Opener, origins: Origins, notice: NoticeBar, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._opener = opener
        self._origins = origins
        self._notice = notice
        self._window = parent
        self._dialog: AssignDialog | None = None
        self._read: ArraysReading | None = None
        self._worker = Worker(self)
        self._worker.done.connect(self._on_done)
        self._worker.failed.connect(self._on_failed)
        self._worker.progressed.connect(self._on_progressed)
        opener.import_wanted.connect(self.open_arrays)

    @property
    def dialog(self) -> AssignDialog | None:
        """The open dialog, if any."""
        return self._dialog

    def close(self) -> None:
        """Cancel the reading, and wait for the thread."""
        self._worker.close()

    @Slot()
    def ask(self, _data: object = None) -> None:
        """Ask for files and import them together."""
        if paths := self._ask():
            self.import_files(paths)

    @Slot()
    def ask_again(self, _data: object = None) -> None:
        """Ask again for the roles of the arrays in the open document's files."""
        origin = self._origins.origin(self._opener.document)
        if isinstance(origin, ImportedFiles):
            self._start(ArraysReading(origin.paths, assignment=origin.assignment))
        else:
            self._notice.refuse(
                self.tr("This document was not imported from files of arrays.")
            )

    def open_files(self, paths: Sequence[Path]) -> None:
        """Open what the user has dropped or pasted: a document, or files of arrays."""
        if len(paths) == 1:
            self._opener.open(str(paths[0]))
            return
        documents = [path for path in paths if not holds_matrices(path)]
        if documents:
            text = self.tr(
                "Several files can be opened together if all of them hold numbers. "
                "“{name}” does not."
            )
            self._notice.refuse(text.format(name=one_line(documents[0].name)))
        else:
            self.import_files(paths)

    @Slot(list)
    def import_files(self, paths: Sequence[Path]) -> None:
        """Read files, and ask for the roles of their arrays in a new dialog."""
        self._start(ArraysReading(tuple(paths)))

    @Slot(object)
    def open_arrays(self, path: Path) -> None:
        """Open an exported file as it is; ask for array roles of any other file."""
        self._start(ArraysReading((path,), ask=False))

    @Slot()
    def give_up(self) -> None:
        """Read no more files, unless a dialog is open: another document is now."""
        if self._dialog is None:
            self._reset()

    def _start(self, reading: ArraysReading) -> None:
        self._opener.give_up()
        self._reset()
        self._notice.dismiss()
        self._worker.start(reading)

    def paste(self, _data: object = None) -> None:
        """Import from the clipboard: files, or numbers as text."""
        clipboard = QGuiApplication.clipboard()
        data = clipboard.mimeData()
        if paths := files_of(data):
            self.open_files(paths)
            return
        try:
            arrays = self._parse_pasted(clipboard.text())
        except ValueError as error:
            self._notice.refuse(str(error))
            return
        self._opener.give_up()
        self._reset()
        self._notice.dismiss()
        self._show(arrays, arrays.suggestion())
        assert self._dialog is not None
        self._dialog.forbid_adding()

    def _parse_pasted(self, text: str) -> Arrays:
        """Return the numbers in a text: a matrix, printed arrays, or a table."""
        title = self.tr("Pasted")
        try:
            block = parse_block(text, infinite=True)
        except ValueError as error:
            printed = printed_arrays(text)
            if printed.values:
                notices = left_out_notices(list(printed.left_out.items()))
                return Arrays(title, printed.values, printed.tokens, notices)
            try:
                read = read_csv_text(PASTED, text)
            except ValueError:
                raise error from None
            return Arrays(title, read.values, {PASTED: read.tokens}, read.notices)
        tokens = {PASTED: block.names} if block.names else {}
        return Arrays(title, {PASTED: block.values}, tokens, list(block.notices))

    def _ask(self) -> list[Path]:
        patterns = " ".join(f"*{suffix}" for suffix in READERS)
        names, _filter = QFileDialog.getOpenFileNames(
            self._dialog or self._window,
            self.tr("Import"),
            str(documents_folder()),
            self.tr("Files of numbers ({patterns});;All files (*)").format(
                patterns=patterns
            ),
        )
        return [Path(name) for name in names]

    def _reset(self) -> None:
        """Cancel the reading, or close the dialog."""
        self._worker.stop_all()
        if self._dialog is not None:
            self._dialog.reject()
        self._read = None

    def _show(self, arrays: Arrays, suggestion: Suggestion) -> None:
        self._dialog = dialog = AssignDialog(arrays, suggestion, self._window)
        self._arrays = arrays
        dialog.chosen.connect(self._make)
        dialog.more_wanted.connect(self._add)
        dialog.finished.connect(self._forget)
        dialog.open()

    @Slot()
    def _forget(self) -> None:
        self._dialog = None
        self._worker.stop_all()

    @Slot(object)
    def _make(self, assignment: Assignment) -> None:
        self._worker.start(DocumentMaking(self._arrays, assignment))

    @Slot()
    def _add(self) -> None:
        """Ask for more files, and read them together with the present ones."""
        more, dialog, read = self._ask(), self._dialog, self._read
        if more and dialog is not None and read is not None:
            paths = tuple(dict.fromkeys((*read.paths, *more)))
            # The dialog stays until they are read: one of them may be refused.
            dialog.wait()
            self._worker.start(ArraysReading(paths, assignment=dialog.assignment()))

    @Slot()
    def _cancel(self) -> None:
        self._reset()

    @Slot(object)
    def _on_progressed(self, job: ArraysReading | DocumentMaking) -> None:
        if isinstance(job, ArraysReading) and not self._notice.text:
            text = self.tr("Reading “{name}”…")
            self._notice.offer(
                text.format(name=one_line(job.paths[0].name)),
                [(self.tr("&Cancel"), self._cancel)],
            )

    @Slot(object)
    def _on_done(self, job: ArraysReading | DocumentMaking) -> None:
        if isinstance(job, ArraysReading) and job.is_case:
            self._notice.withdraw()
            self.case_found.emit(job.paths[0])
            return
        if isinstance(job, ArraysReading):
            assert job.arrays is not None
            assert job.suggestion is not None
            self._notice.withdraw()
            if job.document is not None:
                origin = DocumentFile(job.paths[0])
                self._origins.keep(job.document, origin, job.stamp)
                self._opener.open_document(job.document)
                return
            if self._dialog is not None:
                self._dialog.reject()
            self._read = job
            self._show(job.arrays, job.suggestion)
            return
        assert job.document is not None
        read = self._read
        if self._dialog is not None:
            self._dialog.accept()
        if read is not None:
            files = ImportedFiles(read.paths, job.assignment)
            self._origins.keep(job.document, files, read.stamp)
        self._opener.open_document(job.document)

    @Slot(object, str)
    def _on_failed(self, job: ArraysReading | DocumentMaking, reason: str) -> None:
        if self._dialog is not None:
            self._notice.withdraw()
            self._dialog.refuse(reason)
        else:
            self._notice.refuse(reason, [(self.tr("&Import another file…"), self.ask)])


def files_of(data: QMimeData | None) -> list[Path]:
    """Return the local files in dragged or copied data."""
    if data is None:
        return []
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
