"""The docks around the centre."""

from attnviewer.ui.widgets.docks.dock_merger import bring_forward
from attnviewer.ui.widgets.docks.docks import Docks, Panel, Widths

__all__ = ["Docks", "Panel", "Widths", "bring_forward"]
