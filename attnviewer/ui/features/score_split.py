"""The section of the Explain dock that splits a score of a model's head."""

from PySide6.QtCore import Slot

from attnviewer.ui.features.explain import ExplainFeature
from attnviewer.ui.frame.frame import Feature, Frame
from attnviewer.ui.state.score_split import ScoreSplit
from attnviewer.ui.state.settings import own_settings
from attnviewer.ui.views.explain.score import ScoreBox
from attnviewer.ui.views.step.heads.layers import Goal, follow_in_model
from attnviewer.ui.widgets.docks import is_behind

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
        self._workbench = frame.workbench
        self.split = ScoreSplit(self._workbench, frame.window)

    def join(self) -> None:
        self.split.changed.connect(self._add_section)
        self._add_section()

    def release(self) -> None:
        self.split.close()

    @Slot()
    def _add_section(self) -> None:
        """Add the section when there is first a score: most windows open no model."""
        if not self.split.applies:
            return
        self.split.changed.disconnect(self._add_section)
        explain = self.frame.feature(ExplainFeature)
        dock, panel = explain.dock, explain.panel
        box = ScoreBox(self.split, self._workbench.engine, self.frame.appearance, panel)
        is_open = self._settings.value(OPEN, True, type=bool)
        box.toggle.setChecked(bool(is_open))
        box.toggle.toggled.connect(self._keep)
        box.followed.connect(self._follow)
        panel.add_section(box)
        dock.visibilityChanged.connect(box.set_in_front)
        box.set_in_front(dock.isVisible() and not is_behind(dock))
        box.refresh()

    @Slot(bool)
    def _keep(self, is_open: bool) -> None:
        self._settings.setValue(OPEN, is_open)

    @Slot(object)
    def _follow(self, goal: Goal) -> None:
        follow_in_model(self._workbench, goal)
