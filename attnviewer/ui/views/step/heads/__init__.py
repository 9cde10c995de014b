"""All heads of a step side by side."""

from attnviewer.ui.views.step.heads.page import HeadsPage

__all__ = ["HeadsPage"]
