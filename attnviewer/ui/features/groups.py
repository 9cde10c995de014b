"""Groups of tokens: words, sentences, or named by hand."""

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from attnviewer.ui.features.inputs import InputsFeature
from attnviewer.ui.frame.frame import Feature, Frame
from attnviewer.ui.groups.commands import GroupCommands

if TYPE_CHECKING:
    from attnviewer.ui.views.step.heatmap import GroupedHeatmap


class GroupsFeature(Feature):
    """Adds the commands on groups to the menu of tokens and to the heatmap.

    Attributes
    ----------
    commands : GroupCommands
        The commands.
    """

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self.commands = GroupCommands(frame.workbench, frame.notice, frame.window)
        menu = frame.feature(InputsFeature).token_menu
        menu.addSeparator()
        menu.addMenu(self.commands.menu)
        frame.step_view.follow_pages(self._on_page)

    @Slot(QWidget)
    def _on_page(self, page: QWidget) -> None:
        # By its name, as its module loads pyqtgraph.
        if page.objectName() == "step.heatmap":
            cast("GroupedHeatmap", page).group_wanted.connect(self.commands.ask)
