"""The menu's commands for pictures."""

from pathlib import Path

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from attnviewer.ui.pictures.dialog import PictureDialog
from attnviewer.ui.pictures.gif import MissingPillowError, require_pillow
from attnviewer.ui.pictures.recorder import Recorder
from attnviewer.ui.pictures.saving import copy_picture
from attnviewer.ui.pictures.settings import kept_choice
from attnviewer.ui.pictures.walk_dialog import WalkDialog
from attnviewer.ui.state.folders import documents_folder
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.views.step import StepView
from attnviewer.ui.widgets.notice import NoticeBar


class PictureCommands(QObject):
    """Pictures of the current view, and animations of the computation."""

    def __init__(
        self,
        workbench: Workbench,
        step_view: StepView,
        notice: NoticeBar,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._workbench, self._step_view = workbench, step_view
        self._notice, self._window = notice, window
        self._folder = documents_folder()
        self.recorder = Recorder(workbench, notice, window)
        self.recorder.saved_to.connect(self._set_folder)

    def ask(self, _data: object = None) -> None:
        """Ask for the style of a picture of the view, then write it."""
        if self._refuses():
            return
        dialog = PictureDialog(
            self._step_view, self._workbench, self._folder, self._window
        )
        dialog.message.connect(self._notice.show_message)
        dialog.saved_to.connect(self._set_folder)
        dialog.open()

    def copy(self, _data: object = None) -> None:
        """Copy the view as an image, in the style of the last picture."""
        if self._refuses():
            return
        try:
            copy_picture(self._step_view, self._workbench, kept_choice())
        except ValueError as error:
            self._notice.refuse(str(error))
        else:
            self._notice.show_message(self.tr("Picture copied"))

    def ask_walk(self, _data: object = None) -> None:
        """Ask how to play the computation, then write it as an animation."""
        try:
            require_pillow()
        except MissingPillowError as error:
            self._notice.refuse(str(error))
            return
        if self._refuses():
            return
        dialog = WalkDialog(self._workbench, self._folder, self._window)
        dialog.chosen.connect(self.recorder.record)
        dialog.open()

    def _refuses(self) -> bool:
        """Refuse what would be outdated or is withheld; return whether it is."""
        workbench = self._workbench
        reason = workbench.outdated_reason() or workbench.withheld_reason
        if reason:
            self._notice.refuse(reason)
        return bool(reason)

    @Slot(object)
    def _set_folder(self, folder: Path) -> None:
        self._folder = folder
