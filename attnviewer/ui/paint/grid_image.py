"""Numbers of a grid of tokens as colours, over the picture whose patches they are."""

from dataclasses import replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from attnviewer.compute import Array, BoolArray
from attnviewer.document.token_grid import PixelArray, TokenGrid
from attnviewer.ui.paint.color_scale import ColorScale, Rgb
from attnviewer.ui.paint.colors import cell_colors
from attnviewer.ui.paint.theme import Theme

OVER_PICTURE = 0.6
"""Share of the colours where there is a picture beneath."""
_SIDE = 512
"""Pixels of the longer side, unless there are more tokens."""
_Number = TypeVar("_Number", bound=np.generic)


def grid_colors(
    values: Array,
    hidden: BoolArray | None,
    scale: ColorScale,
    theme: Theme,
    *,
    image: PixelArray | None = None,
    smooth: bool = False,
) -> Rgb:
    """Return the colours of the numbers of a grid, pixel by pixel.

    Parameters
    ----------
    values : ndarray, shape (rows, columns)
        The numbers.
    hidden : ndarray of bool, shape (rows, columns), or None
        Those that a mask hides.
    scale : ColorScale
        The colours.
    theme : Theme
        The theme in force.
    image : ndarray of uint8, shape (height, width, 3), optional
        The picture beneath.
    smooth : bool
        Whether numbers between the middles of two tokens lie between theirs. Not
        where one is hidden or no finite number.

    Returns
    -------
    ndarray of uint8, shape (height, width, 3)
        Without smoothing and picture, one pixel for each token.
    """
    smooth = smooth and hidden is None and bool(np.isfinite(values).all())
    if image is None and not smooth:
        return cell_colors(values, scale, theme, hidden)
    rows, columns = values.shape
    times = max(1, _SIDE // max(rows, columns))
    down, across = _places(rows, times), _places(columns, times)
    if smooth:
        colors = cell_colors(_between(values, times), scale, theme)
    else:
        colors = cell_colors(values, scale, theme, hidden)[np.ix_(down, across)]
    if image is None:
        return colors
    down, across = _seen(len(image), len(down)), _seen(image.shape[1], len(across))
    beneath = image[np.ix_(down, across)]  # (height, width, 3)
    mixed = OVER_PICTURE * colors + (1 - OVER_PICTURE) * beneath
    rounded: Rgb = np.rint(mixed).astype(np.uint8)
    return rounded


def on_grid(values: NDArray[_Number], grid: TokenGrid) -> NDArray[_Number]:
    """Return the numbers of the tokens of a grid, (rows, columns), given (n,)."""
    return values[grid.n_special :].reshape(grid.rows, grid.columns)


def fitted_scale(
    scale: ColorScale, values: Array, hidden: BoolArray | None
) -> ColorScale:
    """Return colours that end at the largest number of a grid.

    Those that are not linear from 0 stay, and so do all if there is no such number.

    Parameters
    ----------
    scale : ColorScale
        The colours.
    values : ndarray, shape (rows, columns)
        The numbers.
    hidden : ndarray of bool, shape (rows, columns), or None
        Those that a mask hides.
    """
    seen = np.isfinite(values) if hidden is None else ~hidden & np.isfinite(values)
    high = float(values[seen].max(initial=0.0))
    fits = scale.scaling == "linear" and scale.low == 0 and high > 0
    return replace(scale, high=high) if fits else scale


def _seen(count: int, pixels: int) -> NDArray[np.intp]:
    """Return which of some places each pixel of a line shows, shape (pixels,)."""
    return np.arange(pixels) * count // pixels


def _places(count: int, times: int) -> NDArray[np.intp]:
    return np.repeat(np.arange(count), times)


def _between(values: Array, times: int) -> Array:
    """Return numbers interpolated linearly along both axes."""
    for axis in (0, 1):
        count = values.shape[axis]
        at = (np.arange(count * times) + 0.5) / times - 0.5  # (count · times,)
        at = np.clip(at, 0, count - 1)
        low = np.minimum(at.astype(np.intp), max(count - 2, 0))
        share = np.expand_dims(at - low, 1 - axis)
        high = np.minimum(low + 1, count - 1)
        below, above = values.take(low, axis), values.take(high, axis)
        values = below + share * (above - below)
    return values
