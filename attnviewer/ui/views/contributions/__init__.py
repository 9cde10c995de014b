"""Contributions of the parts of the open model to its output."""

from attnviewer.ui.views.contributions.panel import ContributionsPanel

__all__ = ["ContributionsPanel"]
