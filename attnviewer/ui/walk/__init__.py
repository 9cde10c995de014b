"""Step by step: the computation for one query, played number by number."""

from attnviewer.ui.walk.panel import WalkPanel

__all__ = ["WalkPanel"]
