"""The style of a picture: its width, resolution, theme and caption."""

from dataclasses import dataclass, replace

from attnviewer.ui.paint.theme import LIGHT, Theme

POINTS_PER_INCH = 72
MM_PER_INCH = 25.4
SCREEN_DPI = 96
"""Screen pixels per inch of a picture."""
PAPER = replace(LIGHT, window="#ffffff")
"""The light theme on white."""
SCALES = (1.0, 2.0, 3.0, 4.0, 8.0)
RESOLUTIONS = (150, 300, 600, 1200)
WIDTHS_MM = (40.0, 500.0)
"""The narrowest and the widest picture, in millimetres."""
MOST_PIXELS = 16_384
"""Most pixels of a picture's longer side."""


@dataclass(frozen=True, slots=True)
class Preset:
    """A page layout for pictures.

    Parameters
    ----------
    name : str
        The name in the settings.
    width_mm : float
        Width on paper.
    text_points : float
        Size of its texts there.
    height_mm : float, optional
        Height on paper; by default as high as the content needs.
    """

    name: str
    width_mm: float
    text_points: float = 8.0
    height_mm: float | None = None


PRESETS = {
    preset.name: preset
    for preset in (
        Preset("one column", 85),
        Preset("one and a half columns", 114),
        Preset("text width", 174),
        Preset("slide 16:9", 160, 10.0, 90),
    )
}
"""Usual widths in papers and slides; the last is a page of LaTeX beamer."""


@dataclass(frozen=True, slots=True)
class Style:
    """The style of a picture.

    Parameters
    ----------
    preset : Preset, optional
        The layout; None for the same as on the screen.
    scale : float
        Without a preset: image pixels per screen pixel.
    resolution : int
        With a preset: pixels per inch.
    theme : Theme, optional
        Its colours; None for the current theme.
    size : tuple of two int, optional
        Without a preset: another width and height, in screen pixels.
    caption : bool
        Whether to add a line below that states how it was computed.
    """

    preset: Preset | None = None
    scale: float = 2.0
    resolution: int = 300
    theme: Theme | None = None
    size: tuple[int, int] | None = None
    caption: bool = False


def of_width(millimetres: float) -> Preset:
    """Return a preset for any width.

    Raises
    ------
    ValueError
        If the width is out of range.
    """
    least, most = WIDTHS_MM
    if not least <= millimetres <= most:
        raise ValueError(
            f"The 'width' must be from {least:g} to {most:g} mm. "
            f"Got {millimetres:g} instead."
        )
    return Preset(f"{millimetres:g} mm", millimetres)
