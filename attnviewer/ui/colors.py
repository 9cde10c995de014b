"""From a step's numbers to colours: one rule for the strip and the large heatmap."""

from dataclasses import dataclass
from functools import cache

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtGui import QColor

from attnviewer.compute import Array, BoolArray
from attnviewer.ui.look.look import AUTOMATIC, Look
from attnviewer.ui.theme import Theme

Rgb = NDArray[np.uint8]

EQUAL_CONTRAST = 0.207
"""Luminance of a ground on which both inks have the same contrast."""


@dataclass(frozen=True, slots=True)
class ColorScale:
    """A colour map with its limits.

    Parameters
    ----------
    name : str
        Name of pyqtgraph's colour map.
    low, high : float
        The numbers at its two ends.
    """

    name: str
    low: float
    high: float

    def table(self) -> Rgb:
        """Return the map's colours from low to high, shape (256, 3)."""
        return _table(self.name)


def scale_for(
    limits: tuple[float, float] | None,
    *,
    signed: bool,
    theme: Theme,
    look: Look = AUTOMATIC,
) -> ColorScale:
    """Choose colours for a whole step, so that its heads share one scale.

    Steps that cannot be negative (weights) run from 0 to 1 on a sequential map;
    signed ones are symmetric around zero on a diverging map.

    Parameters
    ----------
    limits : tuple of two float or None
        Smallest and largest finite number of the step, never those of a sample.
    signed : bool
        Whether the step's numbers may be negative.
    theme : Theme
        Zero is as light or dark as the theme's surface.
    look : Look, optional
        What the person chose.
    """
    if not signed:
        return ColorScale(look.colors or "viridis", 0.0, 1.0)
    low, high = limits or (0.0, 0.0)
    reach = max(high, -low)
    name = look.colors or ("CET-D1A" if theme.name == "light" else "CET-D4")
    return ColorScale(name, -reach or -1.0, reach or 1.0)


def cell_colors(
    values: Array, scale: ColorScale, theme: Theme, hidden: BoolArray | None = None
) -> Rgb:
    """Return the colour of each cell.

    Parameters
    ----------
    values : ndarray, shape (rows, columns)
        The numbers.
    scale : ColorScale
        Map and limits.
    theme : Theme
        Colours of masked and undefined cells.
    hidden : ndarray of bool, shape (rows, columns), optional
        Cells that a mask hides.

    Returns
    -------
    ndarray of uint8, shape (rows, columns, 3)
        Colours. ±inf get the colour of their end; NaN and hidden cells have
        colours that are in no map.
    """
    undefined = np.isnan(values)  # (rows, columns)
    # Halves first: high − low may overflow. In place, as this is the longest part
    # of painting a large heatmap.
    share = values * 0.5  # (rows, columns)
    share -= scale.low / 2
    share /= scale.high / 2 - scale.low / 2
    share *= 255
    np.rint(share, out=share)
    np.clip(share, 0, 255, out=share)
    if undefined.any():
        share[undefined] = 0
    colors: Rgb = scale.table().take(share.astype(np.uint8), axis=0)
    colors[undefined] = rgb(theme.undefined)
    if hidden is not None:
        colors[hidden] = rgb(theme.sunken)
    return colors


INKS = QColor("#16202b"), QColor("#ffffff")
"""What is written on colours: dark and light."""


def wants_light_ink(colors: Rgb) -> BoolArray:
    """Tell on which colours the light ink reads better (WCAG luminance).

    Parameters
    ----------
    colors : ndarray of uint8, shape (..., 3)
        The grounds.
    """
    channels = colors[..., :3].astype(np.float64) / 255
    linear = np.where(
        channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4
    )
    luminance = linear @ np.array([0.2126, 0.7152, 0.0722])  # (...)
    light: BoolArray = luminance <= EQUAL_CONTRAST
    return light


def ink_on(color: Rgb) -> QColor:
    """Return black or white, whichever reads better on a colour."""
    return INKS[int(wants_light_ink(color))]


@cache
def _table(name: str) -> Rgb:
    table: Rgb = pg.colormap.get(name).getLookupTable(nPts=256, alpha=False)
    return table


def rgb(name: str) -> tuple[int, int, int]:
    """Return the channels of one of a theme's colours."""
    color = QColor(name)
    return color.red(), color.green(), color.blue()
