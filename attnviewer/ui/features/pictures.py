"""Pictures of the view, and the context menus that copy from it."""

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from attnviewer.ui.features.flow import FlowFeature
from attnviewer.ui.features.goal_seek import GoalSeekFeature
from attnviewer.ui.features.groups import GroupsFeature
from attnviewer.ui.features.inputs import InputsFeature
from attnviewer.ui.features.navigation import NavigationFeature
from attnviewer.ui.features.pins import PinsFeature
from attnviewer.ui.features.step_menu import StepMenu
from attnviewer.ui.frame.frame import Feature, Frame
from attnviewer.ui.pictures.commands import PictureCommands
from attnviewer.ui.views.step.table import StepTable
from attnviewer.ui.widgets.actions import ActionRow


class PicturesFeature(Feature):
    """Saves and copies pictures of the current view."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        workbench, step_view, notice = frame.workbench, frame.step_view, frame.notice
        self._pictures = pictures = PictureCommands(
            workbench, step_view, notice, frame.window
        )
        flow = frame.feature(FlowFeature).strip
        pins = frame.feature(PinsFeature).commands
        seek = frame.feature(GoalSeekFeature).commands
        groups = frame.feature(GroupsFeature).commands
        go_to = frame.feature(NavigationFeature).go_to
        self._menu = StepMenu(
            workbench, step_view, flow, pictures, pins, seek, groups, go_to, notice
        )
        step_view.follow_pages(self._on_page)
        frame.menus.add(
            "export.pictures",
            [
                ActionRow(
                    "picture",
                    self.tr("&Picture of this view…"),
                    pictures.ask,
                    "Ctrl+Shift+P",
                ),
                ActionRow(
                    "copy_picture",
                    self.tr("Copy this &view as a picture"),
                    pictures.copy,
                    "Ctrl+Alt+C",
                ),
                ActionRow("gif", self.tr("Step &by step as GIF…"), pictures.ask_walk),
            ],
        )

    @Slot(QWidget)
    def _on_page(self, page: QWidget) -> None:
        copying: StepMenu | StepTable
        if page.objectName() == "step.heatmap":
            copying = self._menu
        elif isinstance(page, StepTable):
            copying, notice = page, self.frame.notice
            page.copied.connect(notice.show_message)
            page.refused.connect(notice.refuse)
        else:
            return
        commands = {"copy": copying.copy, "copy_numpy": copying.copy_as_numpy}
        self.frame.feature(InputsFeature).panel.commands.serve(page, commands)

    def release(self) -> None:
        self._pictures.recorder.finish()
