"""Statistics of a model's heads over many texts."""

from attnviewer.models.survey.npz_file import open_survey
from attnviewer.models.survey.progress import Progress
from attnviewer.models.survey.result import Example, Survey
from attnviewer.models.survey.survey import survey
from attnviewer.models.survey.workers import WorkersError

__all__ = ["Example", "Progress", "Survey", "WorkersError", "open_survey", "survey"]
