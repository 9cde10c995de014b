"""A real model in the window: what it ran over, and where one looks."""

from attnviewer.ui.models.open_model import OpenModel

__all__ = ["OpenModel"]
