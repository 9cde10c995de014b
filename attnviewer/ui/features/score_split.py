"""The section of the Explain dock that splits a score of a model's head."""

from PySide6.QtCore import Slot

from attnviewer.ui.features.explain import ExplainFeature
from attnviewer.ui.frame.frame import Feature, Frame
from attnviewer.ui.state.score_split import ScoreSplit
from attnviewer.ui.state.settings import own_settings
from attnviewer.ui.views.explain.score import ScoreBox
from attnviewer.ui.views.step.heads.layers import Goal, follow_in_model

OPEN = "explain/score_open"
"""The setting: whether the section is open."""


class ScoreSplitFeature(Feature):
    """Splits the selected score over what earlier parts of the model wrote.

    Attributes
    ----------
    split : ScoreSplit
        Computes it.
    """

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self._settings = own_settings()
        self._workbench = workbench = frame.workbench
        self.split = ScoreSplit(workbench, frame.window)
        self._box = ScoreBox(self.split, workbench.engine, frame.appearance)
        explain = frame.feature(ExplainFeature)
        explain.panel.add_section(self._box)  # before it shows itself
        is_open = self._settings.value(OPEN, True, type=bool)
        self._box.toggle.setChecked(bool(is_open))
        self._box.toggle.toggled.connect(self._keep)
        self._box.followed.connect(self._follow)
        explain.dock.visibilityChanged.connect(self._box.set_in_front)

    def join(self) -> None:
        self._box.refresh()

    def release(self) -> None:
        self.split.close()

    @Slot(bool)
    def _keep(self, is_open: bool) -> None:
        self._settings.setValue(OPEN, is_open)

    @Slot(object)
    def _follow(self, goal: Goal) -> None:
        follow_in_model(self._workbench, goal)
