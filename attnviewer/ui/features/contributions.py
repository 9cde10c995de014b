"""The Contributions dock: what the parts of the open model write."""

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QWidget

from attnviewer.ui.frame.frame import Feature, Frame
from attnviewer.ui.state.output_split import OutputSplit
from attnviewer.ui.views.contributions import ContributionsPanel
from attnviewer.ui.views.step.heads.layers import Goal, follow_in_model
from attnviewer.ui.widgets.docks import Panel


class ContributionsFeature(Feature):
    """Splits the output of the open model over what its parts write.

    Attributes
    ----------
    split : OutputSplit
        Computes it.
    """

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self.split = OutputSplit(frame.workbench, frame.window)
        self._dock = dock = frame.dock(self.tr("Contributions"))
        dock.visibilityChanged.connect(self.split.set_wanted)
        frame.panels.append(
            Panel(
                "contributions",
                dock,
                self.tr("Contri&butions"),
                self._parts,
                Qt.DockWidgetArea.RightDockWidgetArea,
                narrowest=26,
                opened=False,
                beside="explain",
            )
        )

    def _parts(self) -> tuple[QWidget, QWidget]:
        frame = self.frame
        panel = ContributionsPanel(
            self.split, frame.workbench, frame.appearance, self._dock
        )
        panel.followed.connect(self._follow)
        return panel, panel.heading

    def release(self) -> None:
        self.split.close()

    @Slot(object)
    def _follow(self, goal: Goal) -> None:
        follow_in_model(self.frame.workbench, goal)
