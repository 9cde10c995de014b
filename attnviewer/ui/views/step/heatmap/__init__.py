"""A step as a picture: cells, labels, colour bar and row statistics."""

from attnviewer.ui.views.step.heatmap.grouped import GroupedHeatmap
from attnviewer.ui.views.step.heatmap.heatmap import Heatmap

__all__ = ["GroupedHeatmap", "Heatmap"]
