"""A list of sentences, and a number of the chosen head in each of them."""

from attnviewer.ui.state.sentences.sentences import Order, Sentences

__all__ = ["Order", "Sentences"]
