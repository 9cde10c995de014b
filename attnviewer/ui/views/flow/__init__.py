"""The flow strip: every step small, in the order of the computation."""

from attnviewer.ui.views.flow.strip import FlowStrip
from attnviewer.ui.views.flow.verdicts import Verdict

__all__ = ["FlowStrip", "Verdict"]
