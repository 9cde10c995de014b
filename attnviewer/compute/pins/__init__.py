"""Pins: cells of computed steps that are set, added to or scaled."""

from attnviewer.compute.pins.cells import PinnedCells
from attnviewer.compute.pins.pin import How, Pin, Rest

__all__ = ["How", "Pin", "PinnedCells", "Rest"]
