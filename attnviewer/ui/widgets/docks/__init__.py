"""The docks around the centre."""

from attnviewer.ui.widgets.docks.dock_merger import bring_forward
from attnviewer.ui.widgets.docks.docks import Docks, Panel, Widths
from attnviewer.ui.widgets.docks.framed_dock import FramedDock

__all__ = ["Docks", "FramedDock", "Panel", "Widths", "bring_forward"]
