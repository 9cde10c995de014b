"""The tour through the window."""

from collections.abc import Mapping

from attnviewer.ui.features.explain import ExplainFeature
from attnviewer.ui.features.flow import FlowFeature
from attnviewer.ui.features.inputs import InputsFeature
from attnviewer.ui.features.presentation import PresentationFeature
from attnviewer.ui.frame.frame import Feature, Frame
from attnviewer.ui.frame.presentation import Presentation
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
        row = ActionRow("tour", self.tr("&Tour"), self._start)
        frame.menus.add("help.tour", [row])

    @property
    def offers(self) -> Mapping[str, object]:
        return {"tour": self.tour}

    def join(self) -> None:
        # What the tour points out is hidden in a presentation.
        self._presentation.action.toggled.connect(self.tour.end)

    def _start(self, _data: object = None) -> None:
        self._presentation.leave()
        self.tour.start()

    @property
    def _presentation(self) -> Presentation:
        return self.frame.feature(PresentationFeature).presentation
