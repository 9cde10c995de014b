"""The docks around the centre."""

from attnviewer.ui.widgets.docks.docks import Docks, Panel, Widths
from attnviewer.ui.widgets.docks.gathering import bring_forward

__all__ = ["Docks", "Panel", "Widths", "bring_forward"]
