"""The Step by step dock: the computation for one query."""

from PySide6.QtCore import Qt

from attnviewer.ui.frame.frame import Feature, Frame
from attnviewer.ui.views.query_steps import WalkPanel
from attnviewer.ui.widgets.docks import Panel


class QueryStepsFeature(Feature):
    """Plays the computation of one query, number by number."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        panel = WalkPanel(frame.workbench, frame.appearance, frame.window)
        frame.panels.append(
            Panel(
                "walk",
                self.tr("Step by step"),
                self.tr("&Step by step"),
                panel,
                panel.heading,
                Qt.DockWidgetArea.BottomDockWidgetArea,
                narrowest=0,
                opened=False,
                keys="F10",
            )
        )

    def join(self) -> None:
        toggle = self.frame.docks.toggle("walk")
        self.frame.step_view.header.offer_walk(toggle)
