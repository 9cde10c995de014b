"""The flow strip: every step small, in the order of the computation."""

from attnviewer.ui.views.flow.strip import FlowStrip

__all__ = ["FlowStrip"]
