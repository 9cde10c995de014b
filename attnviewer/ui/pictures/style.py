"""How a picture is to look: its width, its sharpness, its theme, its caption."""

from dataclasses import dataclass, replace

from attnviewer.ui.paint.theme import LIGHT, Theme

POINTS_PER_INCH = 72
MM_PER_INCH = 25.4
SCREEN_DPI = 96
"""Pixels of the screen that are an inch of a picture."""
PAPER = replace(LIGHT, window="#ffffff")
"""The light theme on white."""
SCALES = (1.0, 2.0, 3.0, 4.0, 8.0)
RESOLUTIONS = (150, 300, 600, 1200)
WIDTHS_MM = (40.0, 500.0)
"""The narrowest and the widest picture of a chosen width."""
MOST_PIXELS = 16_384
"""Of a picture's longer side."""


@dataclass(frozen=True, slots=True)
class Preset:
    """What a picture is laid out for.

    Parameters
    ----------
    name : str
        What it is known by, and remembered.
    width_mm : float
        Width on paper.
    text_points : float
        Size of its texts there.
    height_mm : float, optional
        Height on paper; without, it is as high as what is shown needs.
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
"""Widths that papers and slides ask for; the last is a page of LaTeX's beamer."""


@dataclass(frozen=True, slots=True)
class Style:
    """How a picture is to look.

    Parameters
    ----------
    preset : Preset, optional
        What it is laid out for; None stands for as it is on the screen.
    scale : float
        Of pictures as on the screen: pixels per pixel of the screen.
    resolution : int
        Of others: pixels per inch.
    theme : Theme, optional
        Its colours; None stands for those in force.
    size : tuple of two int, optional
        Of pictures as on the screen: another width and height, in its pixels.
    caption : bool
        With a line below that states how it was computed.
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
        If no paper is so narrow or so wide.
    """
    least, most = WIDTHS_MM
    if not least <= millimetres <= most:
        raise ValueError(
            f"The 'width' must be from {least:g} to {most:g} mm. "
            f"Got {millimetres:g} instead."
        )
    return Preset(f"{millimetres:g} mm", millimetres)
