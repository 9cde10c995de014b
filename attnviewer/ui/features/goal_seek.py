"""Goal Seek: the inputs that give a number a wanted value."""

from attnviewer.ui.features.spec import SpecFeature
from attnviewer.ui.frame.frame import Feature, Frame
from attnviewer.ui.goal_seek.commands import GoalSeekCommands
from attnviewer.ui.goal_seek.pointed import PointedMenu


class GoalSeekFeature(Feature):
    """Asks what numbers shall be, by menu, key and the context menus of steps.

    Attributes
    ----------
    commands : GoalSeekCommands
        What the context menus offer.
    """

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self.commands = GoalSeekCommands(frame.workbench, frame.notice, frame.window)
        self._menu = PointedMenu(frame.workbench, frame.step_view, self.commands)

    def join(self) -> None:
        self.frame.menus.add("edit.pins", self.commands.rows("edit", keys=True))
        heads = self.frame.feature(SpecFeature).heads
        heads.offer(self.commands.pointed_rows("heads", self._menu.remembered))
        heads.aboutToShow.connect(self._menu.remember)

    def release(self) -> None:
        self.commands.close()
