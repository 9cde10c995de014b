"""The docks around the centre."""

from attnviewer.ui.docks.docks import Docks, Panel, Widths
from attnviewer.ui.docks.gathering import bring_forward

__all__ = ["Docks", "Panel", "Widths", "bring_forward"]
