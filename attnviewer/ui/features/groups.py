"""Groups of tokens: words, sentences, or named by hand."""

from attnviewer.ui.features.inputs import InputsFeature
from attnviewer.ui.frame.frame import Feature, Frame
from attnviewer.ui.groups.commands import GroupCommands


class GroupsFeature(Feature):
    """Adds the commands on groups to the menu of tokens."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        commands = GroupCommands(frame.workbench, frame.notice, frame.window)
        menu = frame.feature(InputsFeature).token_menu
        menu.addSeparator()
        menu.addMenu(commands.menu)
