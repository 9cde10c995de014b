"""The docks around the centre."""

from attnviewer.ui.docks.docks import Docks, Panel

__all__ = ["Docks", "Panel"]
