"""The style of a picture of a view as the window shows it."""

from dataclasses import dataclass, replace

from attnviewer.ui.paint.theme import LIGHT, Theme

SCREEN_DPI = 96
"""Screen pixels per inch of a picture."""
PAPER = replace(LIGHT, window="#ffffff", stage="#ffffff")
"""The light theme on white."""
SCALES = (1.0, 2.0, 3.0, 4.0, 8.0)


@dataclass(frozen=True, slots=True)
class Style:
    """The style of a picture.

    Parameters
    ----------
    scale : float
        Image pixels per screen pixel.
    theme : Theme, optional
        Its colours; None for the current theme.
    size : tuple of two int, optional
        Another width and height, in screen pixels.
    """

    scale: float = 2.0
    theme: Theme | None = None
    size: tuple[int, int] | None = None
