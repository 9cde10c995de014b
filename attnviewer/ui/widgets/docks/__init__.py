"""The docks around the centre."""

from attnviewer.ui.widgets.docks.dock_merger import bring_forward, is_behind
from attnviewer.ui.widgets.docks.docks import Docks, Widths
from attnviewer.ui.widgets.docks.framed_dock import FramedDock
from attnviewer.ui.widgets.docks.heading import heading_row
from attnviewer.ui.widgets.docks.panel import Panel

__all__ = [
    "Docks",
    "FramedDock",
    "Panel",
    "Widths",
    "bring_forward",
    "heading_row",
    "is_behind",
]
