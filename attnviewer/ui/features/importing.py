"""Importing: the menu rows, and files that are dropped or pasted."""

from collections.abc import Mapping

from attnviewer.ui.features.files import FilesFeature
from attnviewer.ui.frame.frame import Feature, Frame
from attnviewer.ui.import_ import DropAndPaste, Importer
from attnviewer.ui.widgets.actions import ActionRow


class ImportFeature(Feature):
    """Makes documents from files of numbers, and from what is dropped or pasted."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        files, window = frame.feature(FilesFeature), frame.window
        self.importer = importer = Importer(
            files.opener, files.origins, frame.notice, window
        )
        frame.workbench.opened.connect(importer.give_up)
        DropAndPaste(window, importer)
        frame.menus.add(
            "file.import",
            [
                ActionRow("import", self.tr("&Import…"), importer.ask, "Ctrl+Shift+O"),
                ActionRow(
                    "import_again", self.tr("Import a&gain…"), importer.ask_again
                ),
            ],
        )
        frame.menus.add(
            "edit.fill",
            [
                ActionRow(
                    "paste_new",
                    self.tr("Paste as &new document…"),
                    importer.paste,
                    "Ctrl+Shift+V",
                )
            ],
        )

    @property
    def offers(self) -> Mapping[str, object]:
        return {"importer": self.importer}

    def release(self) -> None:
        self.importer.close()
