"""Windows that Python sessions open."""

from attnviewer.ui.exploration.exploration import Exploration, show

__all__ = ["Exploration", "show"]
