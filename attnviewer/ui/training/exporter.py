"""Export of a training run: the file dialog, and notices of the result."""

from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from attnviewer.io import FileError
from attnviewer.io.export import file_stem
from attnviewer.ui.files.file_dialogs import ask_where_to_save
from attnviewer.ui.state.folders import documents_folder
from attnviewer.ui.state.training import Trainer
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.widgets.notice import NoticeBar

if TYPE_CHECKING:
    from attnviewer.ui.state.training.jobs import Library


class RunExporter(QObject):
    """Writes the run of the open document as a script or a notebook."""

    def __init__(
        self,
        workbench: Workbench,
        trainer: Trainer,
        notice: NoticeBar,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._workbench, self._trainer = workbench, trainer
        self._notice, self._window = notice, window
        self._folder = documents_folder()
        trainer.exported.connect(self._on_exported)
        trainer.unexported.connect(notice.refuse)

    @Slot(str, bool)
    def ask(self, library: str, notebook: bool) -> None:
        """Ask for a file and write the run to it."""
        suffix = ".ipynb" if notebook else ".py"
        kind = self.tr("Jupyter notebook") if notebook else self.tr("Python script")
        stem = f"{file_stem(self._workbench.document.title)}_training"
        title = self.tr("Export the training run")
        try:
            suggested = self._folder / f"{stem}{suffix}"
            path = ask_where_to_save(self._window, title, suggested, kind)
        except FileError as error:
            self._notice.refuse(str(error))
            return
        if path is not None:
            self._folder = path.parent
            wanted = cast("Library", library)
            self._trainer.export(path, wanted, notebook=notebook)

    @Slot(object)
    def _on_exported(self, path: Path) -> None:
        self._notice.show_message(
            self.tr("The training run was written to {name}").format(name=path.name)
        )
