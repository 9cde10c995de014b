"""The docks around the centre."""

from attnviewer.ui.docks.docks import Docks, Panel
from attnviewer.ui.docks.gathering import bring_forward

__all__ = ["Docks", "Panel", "bring_forward"]
