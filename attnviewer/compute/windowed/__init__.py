"""Matrices that are read by window, whatever lies behind them."""

from attnviewer.compute.windowed.aligned import Aligned
from attnviewer.compute.windowed.base import Windowed
from attnviewer.compute.windowed.combined import Combination, Combined
from attnviewer.compute.windowed.given import Given
from attnviewer.compute.windowed.gradual import GradualPicture
from attnviewer.compute.windowed.largest_changes import CellChange, LargestChanges
from attnviewer.compute.windowed.overview import Keep, Overview, Pooled
from attnviewer.compute.windowed.step_head import StepHead
from attnviewer.compute.windowed.subtraction import Subtraction

__all__ = [
    "Aligned",
    "CellChange",
    "Combination",
    "Combined",
    "Given",
    "GradualPicture",
    "Keep",
    "LargestChanges",
    "Overview",
    "Pooled",
    "StepHead",
    "Subtraction",
    "Windowed",
]
