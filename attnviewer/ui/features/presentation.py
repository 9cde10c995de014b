"""Presentation mode: large text and few controls."""

from collections.abc import Mapping

from attnviewer.ui.features.how import HowFeature
from attnviewer.ui.frame.frame import Feature
from attnviewer.ui.frame.presentation import Presentation
from attnviewer.ui.widgets.presentable_bar import PresentableBar


class PresentationFeature(Feature):
    """Fills the screen with the flow and the step."""

    presentation: Presentation

    @property
    def offers(self) -> Mapping[str, object]:
        return {"presentation": self.presentation}

    def join(self) -> None:
        frame = self.frame
        self.presentation = Presentation(
            frame.window,
            frame.docks,
            frame.around,
            frame.step_view,
            frame.appearance,
            frame.notice,
        )
        action = self.presentation.action
        for bar in (*frame.bars_above, *frame.bars):
            if isinstance(bar, PresentableBar):
                bar.hide_in(action)
        action.toggled.connect(frame.feature(HowFeature).present)
        frame.menus.add("view.presentation", [action])

    def release(self) -> None:
        self.presentation.leave()
