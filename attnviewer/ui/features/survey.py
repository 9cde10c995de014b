"""Surveys of the open model's heads, which become columns of the atlas."""

from attnviewer.ui.features.files import FilesFeature
from attnviewer.ui.frame.frame import Feature, Frame
from attnviewer.ui.model.surveys import SurveyOpener


class SurveyFeature(Feature):
    """Opens surveys from the menu, and those that are dropped.

    Attributes
    ----------
    surveys : SurveyOpener
        Opens them.
    """

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        opener = frame.feature(FilesFeature).opener
        self.surveys = surveys = SurveyOpener(
            frame.workbench, opener, frame.notice, frame.window
        )
        frame.work.follow(surveys)
        frame.menus.add("file.model", [surveys.action])

    def release(self) -> None:
        self.surveys.close()
