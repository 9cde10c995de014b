"""What the parts of the open model write towards its output."""

from attnviewer.ui.views.contributions.panel import ContributionsPanel

__all__ = ["ContributionsPanel"]
