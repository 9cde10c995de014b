"""Windows that Python sessions open."""

from attnviewer.ui.interactive.exploration import Exploration, show

__all__ = ["Exploration", "show"]
