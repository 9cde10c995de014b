"""Opening documents from the menu."""

from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QWidget

from attnviewer.document import Document
from attnviewer.io import DocumentFile, FileError, Origin, load
from attnviewer.io.importing import holds_matrices
from attnviewer.io.matrices.read import READERS
from attnviewer.io.npz_kinds import is_of_recording, is_of_survey
from attnviewer.io.session import SUFFIX
from attnviewer.one_line import one_line
from attnviewer.sources import (
    EXAMPLE_PREFIX,
    EXERCISE,
    GGUF,
    LESSON,
    is_of_lesson,
    is_of_model,
    is_of_picture,
)
from attnviewer.ui.files.new_dialog import NewDialog
from attnviewer.ui.files.origins import Origins
from attnviewer.ui.files.reading import Reader, Reading
from attnviewer.ui.files.saving import Saver
from attnviewer.ui.log import log_file
from attnviewer.ui.state.folders import documents_folder
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.widgets.notice import NoticeBar
from attnviewer.ui.work.worker import NO_MEMORY


class Opener(QObject):
    """Opens other documents on the workbench, or says why that fails.

    Files are read in the background; the latest request wins. Text being typed is
    committed first; if it is refused, its document stays open.

    Attributes
    ----------
    reader : Reader
        Reads the files in the background.
    import_wanted : Signal
        The path of a file of arrays to import.
    model_wanted : Signal
        The path of a model's folder or file.
    lesson_wanted : Signal
        The path of a lesson or an exercise.
    survey_wanted : Signal
        The path of a survey of a model's heads.
    picture_wanted : Signal
        The path of a picture.
    recording_wanted : Signal
        The path of a recording.
    """

    import_wanted = Signal(object)
    model_wanted = Signal(object)
    lesson_wanted = Signal(object)
    survey_wanted = Signal(object)
    picture_wanted = Signal(object)
    recording_wanted = Signal(object)

    def __init__(
        self,
        workbench: Workbench,
        origins: Origins,
        saver: Saver,
        notice: NoticeBar,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._origins = origins
        self._saver = saver
        self._window = parent
        self._workbench = workbench
        self._notice = notice
        self._keeps_selection = False
        self._keeps_selection_of: Document | None = None
        self.reader = Reader(self)
        self.reader.done.connect(self._on_read)
        self.reader.failed.connect(self._on_unread)
        self.reader.cancelled.connect(self._on_cancelled)
        workbench.engine.prepared.connect(self._on_prepared)
        workbench.engine.unprepared.connect(self._on_unprepared)

    @property
    def document(self) -> Document:
        """The open document."""
        return self._workbench.document

    @property
    def set_aside(self) -> list[Document]:
        """Changed documents that can be reopened."""
        return self._workbench.set_aside

    @Slot()
    def new(self, _data: object = None) -> None:
        """Ask for a new document and open it."""
        dialog = NewDialog(self._window)
        dialog.made.connect(self.give_up)
        dialog.made.connect(self.open_document)
        dialog.open()

    @Slot()
    def open_file(self, _data: object = None) -> None:
        """Ask for a file and open it."""
        suffixes = SUFFIX, *READERS, LESSON, EXERCISE, GGUF
        name, _filter = QFileDialog.getOpenFileName(
            self._window,
            self.tr("Open"),
            str(documents_folder()),
            self.tr(
                "Sessions, examples, numbers, lessons and GGUF models ({patterns});;"
                "All files (*)"
            ).format(patterns=" ".join(f"*{suffix}" for suffix in suffixes)),
        )
        if name:
            self.open(name)

    def open_example(self, example: object) -> None:
        """Open a bundled example by its id."""
        self.open(f"example:{example}")

    @Slot()
    def give_up(self) -> None:
        """Give up what is being opened in favour of another request, silently."""
        self.reader.stop()
        self._workbench.engine.give_up()

    def open(self, source: str) -> None:
        """Open a source; if it cannot be read, the open document stays."""
        self.give_up()
        if not source.startswith(EXAMPLE_PREFIX):
            path = Path(source)
            if is_of_model(path):
                self.model_wanted.emit(path)
            elif is_of_picture(path):
                self.picture_wanted.emit(path)
            elif is_of_lesson(path):
                self._notice.dismiss()
                self.lesson_wanted.emit(path)
            elif is_of_survey(path):
                self.survey_wanted.emit(path)
            elif is_of_recording(path):
                self.recording_wanted.emit(path)
            elif holds_matrices(path):
                self.import_wanted.emit(path)
            else:
                self.open_origin(DocumentFile(path))
            return
        try:
            document = load(source)
        except FileError as error:
            self._notice.refuse(str(error))
            return
        self.open_document(document)

    def open_origin(self, origin: Origin, *, keep_selection: bool = False) -> None:
        """Open an origin once a worker has read it; see `open_document`."""
        self.give_up()
        self._notice.dismiss()
        self._keeps_selection = keep_selection
        self.reader.read(origin)

    def open_document(
        self, document: Document, *, keep_selection: bool = False
    ) -> None:
        """Open a document; a large one once a worker has computed it.

        Parameters
        ----------
        document : Document
            The document.
        keep_selection : bool
            Whether to keep the selection as far as it exists there.
        """
        if not self._saver.commit_editors():
            return
        self._keeps_selection_of = document if keep_selection else None
        engine = self._workbench.engine
        if engine.fits_a_frame(document):
            self._show(document)
        else:
            self._notice.dismiss()
            engine.prepare(document)

    def reopen(self, document: object) -> None:
        """Open a document that was set aside."""
        assert isinstance(document, Document)
        self.give_up()
        self.open_document(document)

    @Slot(object)
    def _on_read(self, reading: Reading) -> None:
        assert reading.document is not None
        log_file("opened", reading.origin.path)
        self._origins.keep(reading.document, reading.origin, reading.stamp)
        self.open_document(reading.document, keep_selection=self._keeps_selection)

    @Slot(object, str)
    def _on_unread(self, reading: Reading, reason: str) -> None:
        log_file("refused", reading.origin.path, reason)
        self._notice.refuse(reason, [(self.tr("Open a&nother file…"), self.open_file)])

    @Slot(object)
    def _on_cancelled(self, reading: Reading) -> None:
        name = one_line(reading.origin.path.name)
        self._notice.show_message(
            self.tr("“{title}” was not opened.").format(title=name)
        )

    @Slot(object)
    def _on_prepared(self, document: Document) -> None:
        # Something may have been typed in the meantime.
        if self._saver.commit_editors():
            self._show(document)

    @Slot(object, str)
    def _on_unprepared(self, document: Document, reason: str) -> None:
        if reason:
            self._notice.refuse(f"{document.title}: {reason}")
        else:
            text = self.tr("“{title}” was not opened.")
            self._notice.show_message(text.format(title=document.title))

    def _show(self, document: Document) -> None:
        """Put a document on the workbench."""
        previous, known = self._workbench.document, document in self.set_aside
        self._notice.dismiss()  # first, as opening may cause new notices
        try:
            if known:
                self._workbench.reopen(document)
            else:
                self._workbench.open(
                    document, stay=document is self._keeps_selection_of
                )
        except MemoryError:
            self._notice.refuse(f"{document.title}: {NO_MEMORY}")
            return
        except ValueError as error:  # such as numbers beyond the chosen precision
            self._notice.refuse(f"{document.title}: {error}")
            return
        if previous in self.set_aside and not known:
            text = self.tr(
                "The changes in “{title}” are kept: File ▸ Changed documents."
            )
            self._notice.add(text.format(title=previous.title))
