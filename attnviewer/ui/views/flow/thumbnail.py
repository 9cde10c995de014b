"""A step as a small heatmap: its contents and its layout."""

import numpy as np
from PySide6.QtCore import QSize
from PySide6.QtGui import QFontMetrics

from attnviewer.compute import Array, BoolArray, StepHead
from attnviewer.ui.paint.color_scale import ColorScale
from attnviewer.ui.paint.colors import cell_colors, ink_on
from attnviewer.ui.paint.miniature.digits import cell_texts
from attnviewer.ui.paint.miniature.grid import Grid
from attnviewer.ui.paint.miniature.image import cell_image
from attnviewer.ui.paint.miniature.miniature import Miniature
from attnviewer.ui.paint.step_content import Shown
from attnviewer.ui.paint.step_scale import step_scale
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.state.heads import present_head
from attnviewer.ui.views.flow.measures import ROWS, CellSizes

NUMBERED = (7, 8)
"""The most rows and columns for which numbers are shown."""


def may_be_numbered(shape: tuple[int, int]) -> bool:
    """Return whether a step is small enough for numbers in its cells."""
    return shape[0] <= NUMBERED[0] and shape[1] <= NUMBERED[1]


def picture_grid(shape: tuple[int, int], sizes: CellSizes) -> Grid:
    """Return the layout of a heatmap without numbers."""
    rows, columns = shape
    room = sizes.room
    side = min(room.width() / columns, room.height() / rows, sizes.largest_cell)
    if side >= 4:  # as unequal cells would be conspicuous
        side = int(side)
    width = max(sizes.smallest, round(side * columns))
    return Grid(rows, columns, QSize(width, max(sizes.smallest, round(side * rows))))


def make_thumbnail(shown: Shown, metrics: QFontMetrics, rows: int = ROWS) -> Miniature:
    """Prepare the heatmap of a step.

    Parameters
    ----------
    shown : Shown
        The step; its last head if it has fewer than that.
    metrics : QFontMetrics
        The metrics of the numbers' font.
    rows : int
        Rows of numbers that fit.
    """
    trace, step, theme = shown.computed.trace, shown.step, shown.theme
    present = present_head(trace, shown.head)
    head = StepHead(trace, step, present)
    scale = step_scale(shown.computed, step, present, theme, shown.look)
    sizes = CellSizes.of(metrics, rows)
    if may_be_numbered(head.shape):
        numbered = _numbered(head, scale, theme, metrics, sizes)
        if numbered is not None:
            return numbered
    grid = picture_grid(head.shape, sizes)
    height, width = grid.size.height(), grid.size.width()
    if grid.rows <= height and grid.columns <= width:
        values, hidden, reach = head.window(), head.hidden(), (1.0, 1.0)
    else:
        pooled = shown.computed.overview(step, present).fitted(height, width)
        values, hidden = pooled.values, pooled.hidden  # (rows, columns)
        reach = pooled.rows[1] / grid.rows, pooled.columns[1] / grid.columns
    masked = hidden is not None and bool(hidden.any())
    colors = cell_colors(values, scale, theme, hidden)
    image = cell_image(colors, hidden)
    return Miniature(grid.rows, grid.columns, grid.size, image, masked, reach)


def _numbered(
    head: StepHead,
    scale: ColorScale,
    theme: Theme,
    metrics: QFontMetrics,
    sizes: CellSizes,
) -> Miniature | None:
    """Return a heatmap with numbers; None if they do not fit."""
    rows, columns = head.shape
    if sizes.room.height() // rows < metrics.height():
        return None
    values, hidden = head.window(), head.hidden()  # (rows, columns)
    texts = _texts(values, hidden)
    widest = max(metrics.horizontalAdvance(text) for text in texts) + 3
    width = max(sizes.cell.width(), widest) * columns
    if width > sizes.widest:
        return None
    colors = cell_colors(values, scale, theme, hidden)  # (rows, columns, 3)
    height = min(sizes.cell.height(), sizes.room.height() // rows) * rows
    inks = tuple(ink_on(color) for color in colors.reshape(-1, 3))
    size, image = QSize(width, height), cell_image(colors, hidden)
    masked = hidden is not None
    return Miniature(rows, columns, size, image, masked, texts=texts, inks=inks)


def _texts(values: Array, hidden: BoolArray | None) -> tuple[str, ...]:
    covered = np.zeros(values.shape, bool) if hidden is None else hidden
    numbers = iter(cell_texts(values[~covered]))
    return tuple("" if away else next(numbers) for away in covered.ravel())
