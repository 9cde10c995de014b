"""Attention patterns of the chosen head, and the cost of leaving cells out."""

from attnviewer.ui.state.patterns.costs import Costs
from attnviewer.ui.state.patterns.patterns import Patterns

__all__ = ["Costs", "Patterns"]
