"""A step as a small heatmap: what is to be painted, and where its cells are."""

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtGui import QColor, QFontMetrics, QImage

from attnviewer.compute import Array, BoolArray, Trace, pool_extremes
from attnviewer.ui.colors import Rgb, cell_colors, ink_on, scale_for
from attnviewer.ui.flow.digits import cell_texts
from attnviewer.ui.heads import present_head
from attnviewer.ui.selection import Position
from attnviewer.ui.theme import Theme

ROOM = QSize(132, 91)
"""The most a heatmap without numbers takes; numbers may make it wider."""
NUMBERED = (7, 8)
"""The most rows and columns that are shown with their numbers."""

_CELL = QSize(22, 22)
_SMALLEST = 24
_LARGEST_CELL = 14
_WIDEST = 280


@dataclass(frozen=True, slots=True)
class Thumbnail:
    """A small heatmap, ready to be painted.

    Parameters
    ----------
    rows, columns : int
        Shape of the step.
    size : QSize
        Size of the heatmap in pixels.
    image : QImage
        One pixel per cell, or per block of cells; masked ones are transparent.
    texts, inks : tuple
        Number and its colour per cell, row by row; empty where there is no room.
    """

    rows: int
    columns: int
    size: QSize
    image: QImage
    texts: tuple[str, ...] = ()
    inks: tuple[QColor, ...] = ()

    def has(self, cell: Position) -> bool:
        """Return whether the step has such a cell."""
        return 0 <= cell[0] < self.rows and 0 <= cell[1] < self.columns

    def cell_rect(self, cell: Position) -> QRect:
        """Return where a cell lies."""
        row, column = cell
        width, height = self.size.width(), self.size.height()
        left, right = ((column + k) * width // self.columns for k in (0, 1))
        top, bottom = ((row + k) * height // self.rows for k in (0, 1))
        return QRect(left, top, right - left, bottom - top)

    def cell_at(self, point: QPoint) -> Position | None:
        """Return the cell at a point; None where cells are too small to aim at."""
        inside = QRect(QPoint(0, 0), self.size).contains(point)
        if not self.texts or not inside:
            return None
        return (
            point.y() * self.rows // self.size.height(),
            point.x() * self.columns // self.size.width(),
        )


def make_thumbnail(
    trace: Trace, step: str, head: int, theme: Theme, metrics: QFontMetrics
) -> Thumbnail:
    """Draw up the heatmap of a step.

    Parameters
    ----------
    trace : Trace
        The numbers.
    step : str
        The step.
    head : int
        Which head of the queries, counted from zero; the last one if there are
        fewer.
    theme : Theme
        Colours.
    metrics : QFontMetrics
        Measures of the font that the numbers will be written in.
    """
    head = present_head(trace, head)
    values = trace.window(step, head=head)  # (rows, columns)
    hidden = trace.hidden(step, head=head)
    rows, columns = values.shape
    scale = scale_for(trace.limits(step), signed=trace.stages[step].signed, theme=theme)
    if rows <= NUMBERED[0] and columns <= NUMBERED[1]:
        texts = _texts(values, hidden)
        widest = max(metrics.horizontalAdvance(text) for text in texts) + 4
        width = max(_CELL.width(), widest) * columns
        if width <= _WIDEST:
            colors = cell_colors(values, scale, theme, hidden)  # (rows, columns, 3)
            height = min(_CELL.height(), ROOM.height() // rows) * rows
            inks = tuple(ink_on(color) for color in colors.reshape(-1, 3))
            image = _image(colors, hidden)
            return Thumbnail(rows, columns, QSize(width, height), image, texts, inks)
    size = _picture_size(rows, columns)
    # As −inf, a hidden cell loses against every other cell of its block.
    shown = values if hidden is None else np.where(hidden, -np.inf, values)
    pooled = pool_extremes(shown, size.height(), size.width())
    gone = None if hidden is None else np.isneginf(pooled)
    image = _image(cell_colors(pooled, scale, theme, gone), gone)
    return Thumbnail(rows, columns, size, image)


def _texts(values: Array, hidden: BoolArray | None) -> tuple[str, ...]:
    covered = np.zeros(values.shape, bool) if hidden is None else hidden
    numbers = iter(cell_texts(values[~covered]))
    return tuple("" if away else next(numbers) for away in covered.ravel())


def _picture_size(rows: int, columns: int) -> QSize:
    side = min(ROOM.width() / columns, ROOM.height() / rows, _LARGEST_CELL)
    if side >= 4:  # where unequal cells would catch the eye
        side = int(side)
    width = max(_SMALLEST, round(side * columns))
    return QSize(width, max(_SMALLEST, round(side * rows)))


def _image(colors: Rgb, hidden: BoolArray | None) -> QImage:
    rows, columns = colors.shape[:2]
    pixels = np.full((rows, columns, 4), 255, np.uint8)
    pixels[..., :3] = colors
    if hidden is not None:
        pixels[hidden] = 0
    image = QImage(
        pixels.data, columns, rows, 4 * columns, QImage.Format.Format_RGBA8888
    )
    return image.copy()  # the pixels belong to NumPy
