"""The tour through the window."""

from attnviewer.ui.tour.stops import stops_through
from attnviewer.ui.tour.tour import Stop, Tour

__all__ = ["Stop", "Tour", "stops_through"]
