"""The Help menu's row for the log file."""

from attnviewer.ui.frame.frame import Feature, Frame
from attnviewer.ui.log.reveal import show_log
from attnviewer.ui.widgets.actions import ActionRow


class LogFeature(Feature):
    """Shows where the log file is."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        row = ActionRow("log", self.tr("Show &log file"), self._show)
        frame.menus.add("help.log", [row])

    def _show(self, _data: object) -> None:
        show_log(self.frame.notice)
