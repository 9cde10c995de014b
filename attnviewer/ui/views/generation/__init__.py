"""The Generate dock: a decoder goes on token by token."""

from attnviewer.ui.views.generation.panel import GenerationPanel

__all__ = ["GenerationPanel"]
