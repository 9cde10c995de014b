"""The Head dock: what the chosen head of the open model is and does."""

from attnviewer.ui.views.head_page.panel import HeadPagePanel

__all__ = ["HeadPagePanel"]
