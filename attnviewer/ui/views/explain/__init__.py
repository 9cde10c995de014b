"""The Explain dock: why the selected cell holds its number."""

from attnviewer.ui.views.explain.panel import ExplainPanel

__all__ = ["ExplainPanel"]
