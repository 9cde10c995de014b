"""Statistics of a model's heads over many texts."""

from attnviewer.models.survey.npz_file import open_survey
from attnviewer.models.survey.result import Example, Survey

__all__ = ["Example", "Survey", "open_survey"]
