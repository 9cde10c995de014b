"""A step as it is, as it was, and what has changed."""

from attnviewer.ui.step.difference.page import DifferencePage

__all__ = ["DifferencePage"]
