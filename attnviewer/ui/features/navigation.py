"""Going to a cell of a step, and what helps in a large one."""

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from attnviewer.ui.frame.frame import Feature, Frame
from attnviewer.ui.navigation.commands import GoToCommand
from attnviewer.ui.state.settings import own_settings

if TYPE_CHECKING:
    from attnviewer.ui.views.step.heatmap import GroupedHeatmap

_SETTING = "heatmap/{}"


class NavigationFeature(Feature):
    """Adds the commands that lead through large matrices to the menus.

    Attributes
    ----------
    go_to : GoToCommand
        Goes to a cell.
    """

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self.go_to = GoToCommand(
            frame.workbench, frame.step_view, frame.notice, frame.window
        )
        self._heatmap: GroupedHeatmap | None = None
        self._minimap = self._switch("minimap", self.tr("M&inimap"))
        self._minimap.setShortcut("Ctrl+K")
        self._minimap.setToolTip(
            self.tr(
                "Zoomed into a matrix of more than 256 tokens, show the whole of it in "
                "a corner of the heatmap"
            )
        )
        self._profiles = self._switch("profiles", self.tr("&Query and key profiles"))
        self._profiles.setShortcut("Ctrl+U")
        self._profiles.setToolTip(
            self.tr(
                "Beside a matrix of more than 256 tokens, show the row and the column "
                "of the cell under the pointer, or of the selected one, as curves"
            )
        )
        frame.menus.add(
            "view.navigation", [self.go_to.row, self._minimap, self._profiles]
        )
        frame.step_view.follow_pages(self._on_page)

    def _switch(self, name: str, text: str) -> QAction:
        """Return a switch that is remembered, and on at first."""
        action = QAction(text, self.frame.window)
        action.setObjectName(f"action.{name}")
        action.setCheckable(True)
        on = own_settings().value(_SETTING.format(name), defaultValue=True, type=bool)
        action.setChecked(bool(on))
        action.toggled.connect(self._apply)
        return action

    @Slot()
    def _apply(self) -> None:
        switches = {"minimap": self._minimap, "profiles": self._profiles}
        for name, action in switches.items():
            own_settings().setValue(_SETTING.format(name), action.isChecked())
        self._show()

    def _show(self) -> None:
        if self._heatmap is not None:
            self._heatmap.minimap.set_wanted(self._minimap.isChecked())
            self._heatmap.show_profiles(self._profiles.isChecked())

    @Slot(QWidget)
    def _on_page(self, page: QWidget) -> None:
        # By its name, as its module loads pyqtgraph.
        if page.objectName() == "step.heatmap":
            self._heatmap = cast("GroupedHeatmap", page)
            self._show()
