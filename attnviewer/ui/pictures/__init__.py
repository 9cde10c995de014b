"""The current view as PNG, SVG or PDF, and query walks as animated GIFs."""

from attnviewer.ui.pictures.saving import copy_view, save_view
from attnviewer.ui.pictures.style import PAPER, PRESETS, Preset, Style, of_width

__all__ = [
    "PAPER",
    "PRESETS",
    "Preset",
    "Style",
    "copy_view",
    "of_width",
    "save_view",
]
