"""The section of the Explain dock that splits a score of a model's head."""

from attnviewer.ui.views.explain.score.box import ScoreBox

__all__ = ["ScoreBox"]
