"""The Patterns panel: where the attention of a head goes, and what may be left out."""

from attnviewer.ui.views.patterns.panel import PatternsPanel

__all__ = ["PatternsPanel"]
