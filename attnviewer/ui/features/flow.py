"""The flow strip above the step."""

from collections.abc import Mapping

from attnviewer.ui.actions import ActionRow
from attnviewer.ui.flow import FlowStrip
from attnviewer.ui.frame import Feature, Frame


class FlowFeature(Feature):
    """Shows every step small, and goes from one to the next."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        workbench = frame.workbench
        self.strip = FlowStrip(
            workbench.engine,
            workbench.selection,
            workbench.looks,
            frame.appearance,
            frame.window,
        )
        frame.above_step.append(self.strip)
        go = self.strip.go
        frame.menus.add(
            "view.steps",
            [
                ActionRow("step.next", self.tr("&Next step"), go, "Alt+Right", 1),
                ActionRow("step.back", self.tr("&Previous step"), go, "Alt+Left", -1),
            ],
        )

    @property
    def offers(self) -> Mapping[str, object]:
        return {"flow": self.strip}
