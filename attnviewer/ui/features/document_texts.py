"""Title and notes of the open document."""

from attnviewer.ui.features.files import FilesFeature
from attnviewer.ui.features.inputs import InputsFeature
from attnviewer.ui.features.title_and_notes import DocumentTexts
from attnviewer.ui.frame.frame import Feature, Frame
from attnviewer.ui.views.notes import NotesArea


class DocumentTextsFeature(Feature):
    """Shows title and notes, and lets the user edit them."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self._notes = NotesArea(frame.window)
        frame.feature(InputsFeature).add_notes(self._notes)
        texts = DocumentTexts(
            frame.workbench,
            frame.feature(FilesFeature).origins,
            frame.menu_bar,
            self._notes,
            frame.status,
            frame.window,
        )
        frame.menus.add("edit.texts", texts.rows)

    def fit(self) -> None:
        self._notes.fit()
