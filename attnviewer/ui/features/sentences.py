"""The Sentences dock: sentences to step through, and a head across them."""

from pathlib import Path

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QFileDialog, QWidget

from attnviewer.io import FileError
from attnviewer.ui.files.file_dialogs import ask_and_write
from attnviewer.ui.frame.frame import Feature, Frame
from attnviewer.ui.state.folders import documents_folder
from attnviewer.ui.state.sentences import Sentences
from attnviewer.ui.state.sentences.reading import sentences_of
from attnviewer.ui.views.sentences import SentencesPanel
from attnviewer.ui.widgets.docks import Panel


class SentencesFeature(Feature):
    """Holds a list of sentences, reads and writes files for it.

    Attributes
    ----------
    sentences : Sentences
        The list.
    """

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self.sentences = Sentences(frame.workbench, frame.window)
        self._panel: SentencesPanel | None = None
        self._folder = documents_folder()
        self._dock = frame.dock(self.tr("Sentences"))
        frame.work.follow(self.sentences)
        frame.panels.append(
            Panel(
                "sentences",
                self._dock,
                self.tr("Se&ntences"),
                self._parts,
                Qt.DockWidgetArea.RightDockWidgetArea,
                narrowest=24,
                opened=False,
                beside="explain",
            )
        )

    def release(self) -> None:
        self.sentences.close()

    def _parts(self) -> tuple[QWidget, QWidget]:
        self._panel = panel = SentencesPanel(
            self.sentences, self.frame.appearance, self._dock
        )
        panel.file_wanted.connect(self._ask_for_file)
        panel.saving_wanted.connect(self._save)
        return panel, panel.heading

    @Slot()
    def _ask_for_file(self) -> None:
        name, _filter = QFileDialog.getOpenFileName(
            self.frame.window,
            self.tr("Add sentences from a text file"),
            str(self._folder),
            self.tr("Text files (*.txt);;All files (*)"),
        )
        if not name:
            return
        self._folder = Path(name).parent
        try:
            texts = sentences_of(Path(name))
        except FileError as error:
            self.frame.notice.refuse(str(error))
            return
        assert self._panel is not None
        self._panel.add(texts)

    @Slot()
    def _save(self) -> None:
        from attnviewer.document.text.formula_guard import guard_text
        from attnviewer.io.export.csv_text import csv_pieces
        from attnviewer.io.export.tables import write_export

        assert self._panel is not None
        rows = [
            [guard_text(cell) if isinstance(cell, str) else cell for cell in row]
            for row in self._panel.table_rows()
        ]
        suggested, title = self._folder / "sentences.csv", self.tr("Save the sentences")
        path = ask_and_write(
            *(self.frame.window, self.frame.notice, title, suggested, self.tr("CSV")),
            lambda path: write_export(path, csv_pieces(rows, bom=True)),
        )
        if path is not None:
            self._folder = path.parent
