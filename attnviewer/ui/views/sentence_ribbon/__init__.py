"""The sentence as a ribbon of tokens: one row of the weights behind the words."""

from attnviewer.ui.views.sentence_ribbon.ribbon import SentenceRibbon

__all__ = ["SentenceRibbon"]
