"""The Heads dock: all heads of the open model, by which one is chosen."""

from collections.abc import Mapping

from PySide6.QtCore import Qt

from attnviewer.ui.frame.frame import Feature, Frame
from attnviewer.ui.views.head_atlas import HeadAtlas
from attnviewer.ui.widgets.docks import Panel


class HeadAtlasFeature(Feature):
    """Shows a small map of each head of each layer."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        dock = frame.dock(self.tr("Heads"))
        self.atlas = HeadAtlas(frame.workbench, frame.appearance, dock)
        frame.panels.append(
            Panel(
                "heads",
                dock,
                self.tr("&Heads"),
                self.atlas,
                self.atlas.heading,
                Qt.DockWidgetArea.LeftDockWidgetArea,
                narrowest=19,
                opened=False,
                beside="inputs",
            )
        )

    @property
    def offers(self) -> Mapping[str, object]:
        return {"atlas": self.atlas}
