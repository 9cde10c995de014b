"""The Sentences dock: sentences to step through."""

from attnviewer.ui.views.sentences.panel import SentencesPanel

__all__ = ["SentencesPanel"]
