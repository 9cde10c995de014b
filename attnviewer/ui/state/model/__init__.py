"""A real model in the window: what it ran over, and where one looks."""

from attnviewer.ui.state.model.open_model import OpenModel

__all__ = ["OpenModel"]
