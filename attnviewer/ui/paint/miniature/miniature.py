"""A small heatmap and its painting."""

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter

from attnviewer.compute import BoolArray
from attnviewer.ui.paint.color_scale import Rgb
from attnviewer.ui.paint.miniature.grid import Grid
from attnviewer.ui.paint.paper import draw_colors
from attnviewer.ui.paint.pin_mark import has_room, inks_on, paint_mark
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.state.selection import Position

GRID_FROM = 12
"""Cells of at least this size, in pixels, are separated by grid lines."""


@dataclass(frozen=True, slots=True)
class Miniature(Grid):
    """A small heatmap, ready to be painted.

    Parameters
    ----------
    image : QImage
        One pixel per cell, or per block of cells; masked ones are transparent.
    masked : bool
        Whether there are masked ones.
    reach : tuple of two float
        Height and width of the image relative to the heatmap's: its last blocks may
        extend past the last cells.
    texts, inks : tuple
        The number and its colour for each cell, row by row; empty without room.
    pins : tuple of tuple
        The pinned cells, each with the ink of its mark; empty without room.
    """

    image: QImage
    masked: bool
    reach: tuple[float, float] = (1.0, 1.0)
    texts: tuple[str, ...] = ()
    inks: tuple[QColor, ...] = ()
    pins: tuple[tuple[Position, QColor], ...] = ()


def masked_tint(theme: Theme) -> QColor:
    """Return the flat colour of masked cells, a step off the ground of cards."""
    ground, edge = QColor(theme.sunken), QColor(theme.empty)
    return QColor(
        (ground.red() + edge.red()) // 2,
        (ground.green() + edge.green()) // 2,
        (ground.blue() + edge.blue()) // 2,
    )


def paint_miniature(
    painter: QPainter, corner: QPoint, miniature: Miniature, theme: Theme, font: QFont
) -> None:
    """Paint a small heatmap, with numbers if it has them.

    Parameters
    ----------
    painter : QPainter
        What is painted on.
    corner : QPoint
        Upper left corner of the heatmap.
    miniature : Miniature
        What to paint.
    theme : Theme
        Colours.
    font : QFont
        Font of the numbers.
    """
    painter.save()
    painter.translate(corner)
    # Otherwise right-to-left languages would put a minus behind its number.
    painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    whole = QRect(QPoint(0, 0), miniature.size)
    if miniature.masked:
        painter.fillRect(whole, masked_tint(theme))
    down, across = miniature.reach
    covered = QRectF(0, 0, across * whole.width(), down * whole.height())
    painter.setClipRect(whole)
    draw_colors(painter, covered, miniature.image)
    painter.setClipping(False)
    _paint_lines(painter, miniature, QColor(theme.surface))
    painter.setFont(font)
    cells = zip(miniature.texts, miniature.inks, strict=True)
    for position, (text, ink) in enumerate(cells):
        painter.setPen(ink)
        cell = miniature.cell_rect(divmod(position, miniature.columns))
        painter.drawText(cell.adjusted(1, 1, 0, 0), Qt.AlignmentFlag.AlignCenter, text)
    for place, ink in miniature.pins:
        paint_mark(painter, QRectF(miniature.cell_rect(place)), ink)
    painter.restore()


def pin_marks(
    grid: Grid, pinned: BoolArray | None, colors: Rgb
) -> tuple[tuple[Position, QColor], ...]:
    """Return the pinned cells with the inks of their marks; () without room for them.

    Parameters
    ----------
    grid : Grid
        The layout of the cells.
    pinned : ndarray of bool, shape (rows, columns), or None
        Which cells are pinned.
    colors : ndarray of uint8, shape (rows, columns, 3)
        The cells' colours.
    """
    room = grid.size.width() / grid.columns, grid.size.height() / grid.rows
    if pinned is None or not has_room(*room):
        return ()
    cells = ((row, column) for row, column in np.argwhere(pinned).tolist())
    return tuple(zip(cells, inks_on(colors[pinned]), strict=True))


def _paint_lines(painter: QPainter, grid: Grid, color: QColor) -> None:
    width, height = grid.size.width(), grid.size.height()
    if min(width // grid.columns, height // grid.rows) < GRID_FROM:
        return
    for row in range(1, grid.rows):
        painter.fillRect(0, row * height // grid.rows, width, 1, color)
    for column in range(1, grid.columns):
        painter.fillRect(column * width // grid.columns, 0, 1, height, color)
