"""The Explain dock: why the selected cell holds its number."""

from attnviewer.ui.explain.panel import ExplainPanel

__all__ = ["ExplainPanel"]
