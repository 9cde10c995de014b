"""Links as lines: how wide, how opaque, in which colour."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QSizeF
from PySide6.QtGui import QImage

from attnviewer.compute import Array, IndexArray
from attnviewer.ui.paint.colors import rgb
from attnviewer.ui.views.step.lines.arrangement import Arrangement
from attnviewer.ui.views.step.lines.curves import Strokes, densities
from attnviewer.ui.views.step.lines.stacking import WIDEST_SHARE, Stacks
from attnviewer.ui.views.step.lines.strongest import Links

NARROWEST = 1.0
NOTHING = 1e-6
"""A density that no eye can see."""
DENSEST, LEVELS = 5.6, 4096
"""A density whose opacity is full in 256 shades, and the steps there to it."""
SPREAD = 0.6
"""Share of a row over which the lines of several heads begin and end."""


@dataclass(frozen=True, slots=True)
class Pen:
    """The colours and widths of lines.

    Parameters
    ----------
    heads : tuple of int
        The heads that are shown, each with its own place within a row.
    scale : float
        The weight that is drawn as wide and opaque as any.
    faintest, boldest : float
        Opacity of a weight of nearly nothing, and that of `scale`.
    stacks : Stacks or None
        Where lines of a single head begin and end.
    """

    heads: tuple[int, ...]
    scale: float
    faintest: float
    boldest: float
    stacks: Stacks | None = None


def strokes_of(links: Links, arrangement: Arrangement, pen: Pen) -> Strokes:
    """Return the lines of some links, in pixels below the headings."""
    count = len(pen.heads)
    order = np.searchsorted(pen.heads, links.heads)  # (n,)
    aside = ((order + 0.5) / max(1, count) - 0.5) * SPREAD  # (n,) of a row
    places: tuple[Array, Array] = aside, aside
    if pen.stacks is not None:
        places = pen.stacks.of(links.queries, links.keys)
    share = np.minimum(np.abs(links.weights) / pen.scale, 1.0)  # (n,)
    widest = WIDEST_SHARE * arrangement.row / np.sqrt(max(1, count))
    bolder = pen.boldest - pen.faintest
    return Strokes(
        arrangement.ends("queries", links.queries + 0.5 + places[0]),
        arrangement.ends("keys", links.keys + 0.5 + places[1]),
        np.maximum(NARROWEST, widest * share),
        pen.faintest + bolder * np.sqrt(share),
        links.weights < 0,
    )


def touching(links: Links, arrangement: Arrangement) -> Links:
    """Return those whose lines come into sight."""
    starts = (
        arrangement.start("queries") + (links.queries + 0.5) * arrangement.row
    )  # (n,)
    ends = arrangement.start("keys") + (links.keys + 0.5) * arrangement.row  # (n,)
    inside = (np.minimum(starts, ends) <= arrangement.height) & (
        np.maximum(starts, ends) >= 0
    )
    return links.take(inside)


def picture_of(
    strokes: Strokes,
    colors: Sequence[str],
    which: IndexArray,
    size: QSizeF,
    ratio: float,
) -> QImage:
    """Paint lines onto a picture without a ground.

    Parameters
    ----------
    strokes : Strokes
        The lines.
    colors : sequence of str
        The colours there are.
    which : ndarray of int, shape (n,)
        Which of them each line has.
    size : QSizeF
        Size of the picture.
    ratio : float
        Its pixels per pixel of the lines.
    """
    rows = max(1, round(size.height() * ratio))
    columns = max(1, round(size.width() * ratio))
    strokes = strokes.scaled(ratio)
    channels = np.array([[*rgb(color)[::-1], 255] for color in colors])  # (colors, 4)
    if len(colors) == 1:
        alone = np.ones((1, len(which)))
        total = densities(strokes, alone, rows, columns)[0]  # (rows, columns)
        opacities = _opacity(np.linspace(0, DENSEST, LEVELS))[:, None]  # (LEVELS, 1)
        table = np.rint(opacities * channels).astype(np.uint8).view(np.uint32)[:, 0]
        total *= (LEVELS - 1) / DENSEST
        total += 0.5
        np.clip(total, 0, LEVELS - 1, out=total)
        pixels = table[total.astype(np.int16)]  # (rows, columns)
    else:
        mixed = densities(strokes, channels[which].T / 255.0, rows, columns)
        total = mixed[3]  # (rows, columns)
        mixed *= _opacity(total) / np.maximum(total, NOTHING) * 255
        np.clip(mixed, 0, 255, out=mixed)
        pixels = np.ascontiguousarray(mixed.astype(np.uint8).transpose(1, 2, 0))
    image = QImage(
        pixels.data,
        columns,
        rows,
        4 * columns,
        QImage.Format.Format_ARGB32_Premultiplied,
    ).copy()  # which owns its pixels; the array may go
    image.setDevicePixelRatio(ratio)
    return image


def _opacity(density: Array) -> Array:
    # What was added and taken away again leaves a little less than nothing.
    opacity: Array = -np.expm1(-np.maximum(density, 0.0))
    return opacity
