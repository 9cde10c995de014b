"""Where the chosen head attends, and what leaving cells out costs."""

from attnviewer.ui.state.patterns.costs import Costs
from attnviewer.ui.state.patterns.patterns import Patterns

__all__ = ["Costs", "Patterns"]
