"""The dock of the loop for one query, beside the matrix form."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from attnviewer.ui.frame.frame import Feature, Frame
from attnviewer.ui.views.query_steps import WalkPanel
from attnviewer.ui.widgets.docks import Panel


class QueryStepsFeature(Feature):
    """Plays the computation of one query, number by number."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self._dock = dock = frame.dock(self.tr("Loop and matrix form"))
        frame.panels.append(
            Panel(
                "walk",
                dock,
                self.tr("L&oop and matrix form"),
                self._parts,
                Qt.DockWidgetArea.BottomDockWidgetArea,
                narrowest=0,
                opened=False,
                keys="Ctrl+F10",
            )
        )

    def _parts(self) -> tuple[QWidget, QWidget]:
        frame = self.frame
        panel = WalkPanel(frame.workbench, frame.appearance, self._dock)
        return panel, panel.heading
