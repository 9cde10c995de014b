"""The Heads dock: all heads of the open model, by which one is chosen."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from attnviewer.ui.features.files import FilesFeature
from attnviewer.ui.frame.frame import Feature, Frame
from attnviewer.ui.model.surveys import SurveyOpener
from attnviewer.ui.views.head_atlas import HeadAtlas
from attnviewer.ui.widgets.docks import Panel


class HeadAtlasFeature(Feature):
    """Shows a small map of each head of each layer."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        opener = frame.feature(FilesFeature).opener
        self._surveys = SurveyOpener(
            frame.workbench, opener, frame.notice, frame.window
        )
        frame.work.follow(self._surveys)
        frame.menus.add("file.model", [self._surveys.action])
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
        panel.choices.survey_wanted.connect(self._surveys.ask)
        return panel, panel.heading

    def release(self) -> None:
        self._surveys.close()
