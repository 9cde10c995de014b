"""The manual, in a window of its own."""

from attnviewer.ui.frame.frame import Feature, Frame
from attnviewer.ui.manual import ManualWindow
from attnviewer.ui.widgets.actions import ActionRow


class ManualFeature(Feature):
    """Opens the manual."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self._manual: ManualWindow | None = None
        row = ActionRow("manual", self.tr("&Manual"), self._show, "Ctrl+F1")
        frame.menus.add("help.tour", [row])

    def release(self) -> None:
        if self._manual is not None:
            self._manual.close()

    def _show(self, _data: object) -> None:
        if self._manual is None:
            self._manual = ManualWindow(self.frame.appearance, self.frame.window)
        self._manual.come_forward()
