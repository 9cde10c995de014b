"""The flow strip above the step."""

from collections.abc import Mapping

from attnviewer.ui.frame.frame import Feature, Frame
from attnviewer.ui.views.flow import FlowStrip
from attnviewer.ui.widgets.actions import ActionRow


class FlowFeature(Feature):
    """Shows a miniature of every step, with commands to go through them."""

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
        workbench.filler.filled.connect(self.strip.follow_overview)
        frame.above_step.append(self.strip)
        go = self.strip.go
        frame.menus.add(
            "view.steps",
            [
                ActionRow("step.next", self.tr("&Next step"), go, "Alt+Right", 1),
                ActionRow("step.back", self.tr("Pre&vious step"), go, "Alt+Left", -1),
            ],
        )

    @property
    def offers(self) -> Mapping[str, object]:
        return {"flow": self.strip}
