"""A step as a small heatmap: its contents."""

import numpy as np
from PySide6.QtCore import QSize
from PySide6.QtGui import QFontMetrics

from attnviewer.compute import Array, BoolArray, StepHead
from attnviewer.ui.paint.colors import cell_pixels
from attnviewer.ui.paint.miniature.digits import cell_texts
from attnviewer.ui.paint.miniature.grid import Grid
from attnviewer.ui.paint.miniature.image import pixel_image
from attnviewer.ui.paint.miniature.miniature import Miniature, pin_marks
from attnviewer.ui.paint.pin_mark import inks_on
from attnviewer.ui.paint.step_content import DisplayedStep
from attnviewer.ui.paint.step_scale import step_scale
from attnviewer.ui.state.heads import present_head

_BESIDE_DIGITS = 3
"""Space beside the longest number of a map, in pixels."""
_SHORTEST = 2
"""Characters of the shortest numbers that fractions are written in."""


def make_thumbnail(
    shown: DisplayedStep, size: QSize, metrics: QFontMetrics
) -> Miniature:
    """Prepare the heatmap of a step, with numbers where all of them fit.

    Parameters
    ----------
    shown : DisplayedStep
        The step; its last head if it has fewer than that.
    size : QSize
        The size of the heatmap.
    metrics : QFontMetrics
        The metrics of the numbers' font.
    """
    trace, step, theme = shown.computed.trace, shown.step, shown.theme
    present = present_head(trace, shown.head)
    head = StepHead(trace, step, present)
    scale = step_scale(shown.computed, step, present, theme, shown.look)
    grid = Grid(*head.shape, size)
    height, width = size.height(), size.width()
    if grid.rows <= height and grid.columns <= width:
        values, hidden, reach = head.window(), head.hidden(), (1.0, 1.0)
        pinned = head.pinned()  # (rows, columns) or None
    else:
        pooled = shown.computed.thumbnail(step, present).fitted(height, width)
        values, hidden = pooled.values, pooled.hidden  # (rows, columns)
        reach = pooled.rows[1] / grid.rows, pooled.columns[1] / grid.columns
        pinned = None  # blocks of cells are too small for marks
    clear = _without_color(values, hidden)  # (rows, columns)
    masked = clear is not None and bool(clear.any())
    pixels = cell_pixels(values, scale, theme, clear)  # (rows, columns, 4)
    texts = _texts(values, hidden) if _may_be_numbered(grid, metrics) else ()
    if not _all_fit(texts, grid, metrics):
        texts = ()
    inks = tuple(inks_on(pixels.reshape(-1, 4))) if texts else ()
    pins = pin_marks(grid, pinned, pixels)
    image = pixel_image(pixels, clear)
    return Miniature(*grid.shape, size, image, masked, reach, texts, inks, pins)


def _without_color(values: Array, hidden: BoolArray | None) -> BoolArray | None:
    """Return what is tinted like masked cells: −∞ masks a key, too."""
    if values.dtype.kind != "f" or values.min(initial=0) != -np.inf:
        return hidden
    least: BoolArray = np.isneginf(values)  # (rows, columns)
    return least if hidden is None else least | hidden


def _may_be_numbered(grid: Grid, metrics: QFontMetrics) -> bool:
    """Return whether the cells have room for short numbers."""
    high = grid.size.height() // grid.rows
    if high <= metrics.ascent():
        return False
    least = _SHORTEST * metrics.horizontalAdvance("0") + _BESIDE_DIGITS
    return grid.size.width() // grid.columns >= least


def _all_fit(texts: tuple[str, ...], grid: Grid, metrics: QFontMetrics) -> bool:
    room = grid.size.width() // grid.columns - _BESIDE_DIGITS
    return all(metrics.horizontalAdvance(text) <= room for text in texts)


def _texts(values: Array, hidden: BoolArray | None) -> tuple[str, ...]:
    covered = np.zeros(values.shape, bool) if hidden is None else hidden
    numbers = iter(cell_texts(values[~covered]))
    return tuple("" if away else next(numbers) for away in covered.ravel())
