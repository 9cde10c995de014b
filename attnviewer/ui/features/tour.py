"""The tour through the window."""

from collections.abc import Mapping

from attnviewer.ui.features.explain import ExplainFeature
from attnviewer.ui.features.flow import FlowFeature
from attnviewer.ui.features.inputs import InputsFeature
from attnviewer.ui.frame.frame import Feature, Frame
from attnviewer.ui.tour import Tour, stops_through
from attnviewer.ui.widgets.actions import ActionRow


class TourFeature(Feature):
    """Points out the parts of the window."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        stops = stops_through(
            frame.feature(InputsFeature).panel,
            frame.feature(FlowFeature).strip,
            frame.step_view.header,
            frame.feature(ExplainFeature).panel,
        )
        self.tour = Tour(frame.window, stops, frame.appearance)
        row = ActionRow("tour", self.tr("&Tour"), self.tour.start)
        frame.menus.add("help.tour", [row])

    @property
    def offers(self) -> Mapping[str, object]:
        return {"tour": self.tour}
