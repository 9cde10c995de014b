"""The weights as lines from queries to keys."""

from attnviewer.ui.views.step.lines.page import Lines

__all__ = ["Lines"]
