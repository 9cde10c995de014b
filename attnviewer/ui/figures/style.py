"""The style of a figure: width, fonts, colours, resolution."""

import math
import re
from dataclasses import dataclass, replace

from attnviewer.ui.paint.theme import DARK, LIGHT, Theme

POINTS_PER_INCH = 72
MM_PER_INCH = 25.4
COLUMN_MM, PAGE_MM = 85.0, 174.0
"""The usual widths of a paper's column and of its page."""
WIDTHS_MM = (40.0, 500.0)
"""The narrowest and the widest figure."""
RESOLUTIONS = (72, 2400)
"""The lowest and the highest, in pixels per inch."""
TALLEST = 650.0
"""The most points in height, so that a figure fits on a page with its caption."""

ASPECT = 0.8
"""The height that rows of panels may have, as a share of the width. A grid alone may
be as high as wide: lower, it would leave room at its sides."""

LABEL, SMALLER, SMALLEST = 7.0, 6.0, 5.0
"""Sizes of labels: where there is room, usually, and the least there is."""
TITLE = 7.0
"""Size of axes, titles and the colour bar's title."""
TICK = 6.0
"""Size of the colour bar's numbers."""
LETTER = 8.0
"""Size of (a), (b), (c)."""
CAPTION = 8.0
"""Size of the caption."""

PAPER = replace(LIGHT, window="#ffffff", text="#000000", sunken="#dfe3e8")
"""Black on white. Masked cells are as grey as no cell of a diverging map is."""

_LENGTH = re.compile(r"\s*([0-9]*\.?[0-9]+)\s*(mm|cm|in|pt)?\s*")
_MM_PER_UNIT = {
    "mm": 1.0,
    "cm": 10.0,
    "in": MM_PER_INCH,
    "pt": MM_PER_INCH / POINTS_PER_INCH,
}


@dataclass(frozen=True, slots=True)
class FigureStyle:
    """The style of a figure.

    Parameters
    ----------
    width_mm : float, optional
        Its width; by default a paper's column, or its page if some label would not fit
        in a column.
    font : str
        ``sans``, ``serif`` or an installed family.
    outlines : bool
        In SVG: texts as outlines, not as text.
    caption : bool or str
        Whether there is a caption below, or the caption.
    dark : bool
        Light on dark.
    dpi : int
        In PNG: pixels per inch.
    """

    width_mm: float | None = None
    font: str = "sans"
    outlines: bool = False
    caption: bool | str = False
    dark: bool = False
    dpi: int = 300

    @property
    def theme(self) -> Theme:
        """Its colours."""
        return DARK if self.dark else PAPER

    @property
    def widths(self) -> tuple[float, ...]:
        """The widths to try, in points, the preferred one first."""
        millimetres = (
            (COLUMN_MM, PAGE_MM) if self.width_mm is None else (self.width_mm,)
        )
        return tuple(points(mm) for mm in millimetres)


def points(millimetres: float) -> float:
    """Return a length in points."""
    return millimetres / MM_PER_INCH * POINTS_PER_INCH


def millimetres_of(width: str | float) -> float:
    """Return a width as typed, in millimetres.

    Parameters
    ----------
    width : str or float
        Such as ``"85mm"``, ``"3.5in"``, ``"8.5 cm"``, ``"240pt"``; a number alone is in
        millimetres.

    Raises
    ------
    ValueError
        If it is no length, or out of range.
    """
    least, most = WIDTHS_MM
    match = _LENGTH.fullmatch(str(width))
    millimetres = math.nan
    if match is not None:
        millimetres = float(match[1]) * _MM_PER_UNIT[match[2] or "mm"]
    if not least <= millimetres <= most:
        raise ValueError(
            f"The 'width' must be from {least:g} to {most:g} mm, such as '85mm' or "
            f"'3.5in'. Got {width!r} instead."
        )
    return millimetres


def check_resolution(dpi: int) -> None:
    """Refuse a resolution that is out of range.

    Raises
    ------
    ValueError
        With the range.
    """
    least, most = RESOLUTIONS
    if not least <= dpi <= most:
        raise ValueError(
            f"The 'dpi' must be from {least} to {most}. Got {dpi} instead."
        )
