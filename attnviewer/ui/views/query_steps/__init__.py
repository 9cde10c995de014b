"""Step by step: the computation for one query, played number by number."""

from attnviewer.ui.views.query_steps.panel import WalkPanel

__all__ = ["WalkPanel"]
