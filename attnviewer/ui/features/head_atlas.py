"""The Heads dock: all heads of the open model, by which one is chosen."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from attnviewer.ui.features.spec import SpecFeature
from attnviewer.ui.features.survey import SurveyFeature
from attnviewer.ui.frame.frame import Feature, Frame
from attnviewer.ui.views.head_atlas import HeadAtlas
from attnviewer.ui.widgets.docks import Panel


class HeadAtlasFeature(Feature):
    """Shows a small map of each head of each layer."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self._dock = dock = frame.dock(self.tr("Heads"))
        frame.panels.append(
            Panel(
                "heads",
                dock,
                self.tr("&Heads"),
                self._parts,
                Qt.DockWidgetArea.LeftDockWidgetArea,
                narrowest=19,
                opened=False,
                beside="inputs",
            )
        )

    def _parts(self) -> tuple[QWidget, QWidget]:
        frame = self.frame
        panel = HeadAtlas(frame.workbench, frame.appearance, self._dock)
        panel.choices.survey_wanted.connect(frame.feature(SurveyFeature).surveys.ask)
        panel.head_menu_wanted.connect(frame.feature(SpecFeature).heads.open_at)
        return panel, panel.heading
