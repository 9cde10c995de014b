"""Windows opened from Python sessions."""

from attnviewer.ui.interactive.exploration import Exploration, show

__all__ = ["Exploration", "show"]
