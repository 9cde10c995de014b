"""Going to a cell of a step, and what helps in a large one."""

from attnviewer.ui.frame.frame import Feature, Frame
from attnviewer.ui.navigation.commands import GoToCommand


class NavigationFeature(Feature):
    """Adds the commands that lead through large matrices to the menus.

    Attributes
    ----------
    go_to : GoToCommand
        Goes to a cell.
    """

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self.go_to = GoToCommand(
            frame.workbench, frame.step_view, frame.notice, frame.window
        )
        frame.menus.add("view.navigation", [self.go_to.row])
