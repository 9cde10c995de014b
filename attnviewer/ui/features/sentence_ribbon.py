"""The sentence of the open model as a ribbon of tokens, above the step."""

from collections.abc import Mapping

from attnviewer.ui.features.model import ModelFeature
from attnviewer.ui.frame.frame import Feature, Frame
from attnviewer.ui.views.sentence_ribbon import SentenceRibbon


class SentenceRibbonFeature(Feature):
    """Shows what a word of the model's sentence attends to."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self.ribbon = SentenceRibbon(frame.workbench, frame.appearance, frame.window)
        frame.above_step.append(self.ribbon)

    @property
    def offers(self) -> Mapping[str, object]:
        return {"ribbon": self.ribbon}

    def join(self) -> None:
        model = self.frame.feature(ModelFeature)
        self.ribbon.edit_wanted.connect(model.edit_sentence)
