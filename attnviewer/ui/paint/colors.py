"""Cell colours from numbers and their scale: one rule for every view of a step."""

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor

from attnviewer.compute import Array, BoolArray
from attnviewer.ui.paint.color_scale import (
    OVER,
    PLAIN,
    UNDER,
    ColorScale,
    Rgb,
)
from attnviewer.ui.paint.theme import Theme

EQUAL_CONTRAST = math.sqrt(1.05 * 0.05) - 0.05
"""Luminance of a background on which both inks have the same contrast."""

OFF_LIMITS = {OVER: "#00e5ff", UNDER: "#8a5a00"}
"""Far from every colour of every map, and from each other."""

STRIP = 2**15
"""Cells coloured at a time."""

DIMMED = 0.16
"""Share of its colour that a dimmed cell keeps."""


def cell_colors(
    values: Array,
    scale: ColorScale,
    theme: Theme,
    hidden: BoolArray | None = None,
    shown: BoolArray | None = None,
) -> Rgb:
    """Return the colour of each cell.

    Parameters
    ----------
    values : ndarray, shape (rows, columns)
        The numbers.
    scale : ColorScale
        The colour map and its limits.
    theme : Theme
        Gives the colours of masked and non-finite cells, and the ground that dimmed
        ones fade into.
    hidden : ndarray of bool, shape (rows, columns), optional
        Cells that a mask hides.
    shown : ndarray of bool, shape (rows, columns), optional
        Cells that are not dimmed; all by default.

    Returns
    -------
    ndarray of uint8, shape (rows, columns, 3)
        Colours. NaN and ±inf share a colour, which is that of no map; numbers beyond
        the limits and hidden cells have their own.
    """
    return cell_pixels(values, scale, theme, hidden, shown)[..., :3]


def cell_pixels(
    values: Array,
    scale: ColorScale,
    theme: Theme,
    hidden: BoolArray | None = None,
    shown: BoolArray | None = None,
) -> Rgb:
    """Return `cell_colors` with an opaque alpha, shape (rows, columns, 4).

    Qt scales images with four channels several times faster than with three.
    """
    pixels = np.empty(values.shape, np.uint32)
    colors: Rgb = pixels.view(np.uint8).reshape(*values.shape, 4)
    # A few rows at a time fit in the processor's cache: five times as fast.
    rows = max(1, STRIP // max(1, values.shape[1]))
    for first in range(0, len(values), rows):
        some = slice(first, first + rows)
        shares = scale.shares(values[some])  # (rows, columns)
        kinds = scale.kinds_of_shares(values[some], shares)
        if scale.from_zero:  # plain numbers below the low end have its colour
            np.maximum(shares, 0, out=shares)
        if kinds is not None:
            shares[kinds != PLAIN] = 0
        shares *= 255
        np.rint(shares, out=shares)
        scale.pixels().take(shares.astype(np.uint8), out=pixels[some], mode="clip")
        if kinds is not None:
            of_kinds = _words_of_kinds(theme).take(kinds)  # (rows, columns)
            np.copyto(pixels[some], of_kinds, where=kinds != PLAIN)
    if shown is not None:
        ground = np.array(rgb(theme.surface))
        faded = colors[~shown, :3] * DIMMED + ground * (1 - DIMMED)
        colors[~shown, :3] = faded.round()
    if hidden is not None:
        np.copyto(pixels, _word(theme.sunken), where=hidden)
    return colors


@lru_cache(maxsize=4)
def _words_of_kinds(theme: Theme) -> NDArray[np.uint32]:
    """Return the colours of the kinds as packed opaque words, shape (kinds,)."""
    return np.array([_word(color_of_kind(kind, theme)) for kind in range(UNDER + 1)])


def _word(color: str) -> np.uint32:
    """Return a colour as a packed opaque word."""
    word: np.uint32 = np.array([*rgb(color), 255], np.uint8).view(np.uint32)[0]
    return word


def color_of_kind(kind: int, theme: Theme) -> str:
    """Return the colour of a kind of cells that are not on the scale."""
    return OFF_LIMITS.get(kind, theme.off_scale)


INKS = QColor("#000000"), QColor("#ffffff")
"""Dark and light ink, for text on colours."""


_CHANNELS = np.arange(256) / 255
_LINEAR = np.where(
    _CHANNELS <= 0.04045, _CHANNELS / 12.92, ((_CHANNELS + 0.055) / 1.055) ** 2.4
)
"""The linear light of each channel value."""
_LUMINANCE = np.array([0.2126, 0.7152, 0.0722])
"""The share of red, green and blue in the luminance."""


def wants_light_ink(colors: Rgb) -> BoolArray:
    """Tell on which colours the light ink reads better (WCAG luminance).

    Parameters
    ----------
    colors : ndarray of uint8, shape (..., 3)
        The background colours.
    """
    linear = _LINEAR[colors[..., :3]]  # (..., 3)
    luminance = linear @ _LUMINANCE  # (...)
    light: BoolArray = luminance <= EQUAL_CONTRAST
    return light


def ink_on(color: Rgb) -> QColor:
    """Return black or white, whichever has more contrast on a colour."""
    return INKS[int(wants_light_ink(color))]


def rgb(name: str) -> tuple[int, int, int]:
    """Return the red, green and blue of one of a theme's colours."""
    color = QColor(name)
    return color.red(), color.green(), color.blue()
