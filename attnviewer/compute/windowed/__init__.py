"""Matrices that are read by window, however they are stored."""

from attnviewer.compute.windowed.aligned import Aligned
from attnviewer.compute.windowed.base import Windowed
from attnviewer.compute.windowed.combined import Combination, Combined
from attnviewer.compute.windowed.folded import (
    Folded,
    Folding,
    FoldRule,
    Span,
    spans_around,
)
from attnviewer.compute.windowed.in_memory import InMemory
from attnviewer.compute.windowed.largest_changes import CellChange, LargestChanges
from attnviewer.compute.windowed.overview import MOST, Overview, Pooled
from attnviewer.compute.windowed.quotients import Quotients
from attnviewer.compute.windowed.sketched import SketchedOverview
from attnviewer.compute.windowed.step_head import StepHead
from attnviewer.compute.windowed.subtraction import Subtraction

__all__ = [
    "MOST",
    "Aligned",
    "CellChange",
    "Combination",
    "Combined",
    "FoldRule",
    "Folded",
    "Folding",
    "InMemory",
    "LargestChanges",
    "Overview",
    "Pooled",
    "Quotients",
    "SketchedOverview",
    "Span",
    "StepHead",
    "Subtraction",
    "Windowed",
    "spans_around",
]
