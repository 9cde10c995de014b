"""The heights of the strip, and which of them suits a window."""

from attnviewer.ui.views.flow.places import Letters

NORMAL, LOW, LOWEST = 164, 110, 40
"""Heights of the strip; the lowest has names without maps."""
LINES_IN_ALL, VERY_FEW = 34, 20
"""Lines shared by strip and step below which maps are lower, or left out."""
_LEAST = 50
"""The least height of the strip, in pixels, whatever the text's size."""


def height_for(lines: float) -> int:
    """Return which of the heights suits a room for so many lines of text."""
    if lines >= LINES_IN_ALL:
        return NORMAL
    return LOW if lines >= VERY_FEW else LOWEST


def height_of(height: int, letters: Letters) -> int:
    """Return the pixels of `NORMAL`, `LOW` or `LOWEST`."""
    return max(_LEAST, letters.pixels(height))
