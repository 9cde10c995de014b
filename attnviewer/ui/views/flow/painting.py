"""Paints a thumbnail."""

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QColor, QFont, QPainter

from attnviewer.ui.paint.miniature.grid import Grid
from attnviewer.ui.paint.miniature.miniature import Miniature, paint_miniature
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.state.links import Linked
from attnviewer.ui.state.selection import Position

_SMALLEST_FRAME = 5
_SELECTED, _LINKED = 2, 1
"""Widths of frames; each has a halo of one pixel on both sides."""
NO_LINK = Linked()


@dataclass(frozen=True, slots=True)
class Highlights:
    """The highlights of a thumbnail.

    Parameters
    ----------
    selected : tuple of int, optional
        The cell that is selected.
    linked : Linked
        What is linked to the cell under the pointer, or else to the selected one.
    softly : bool
        Whether it is linked to the selected one, and so less prominent.
    """

    selected: Position | None = None
    linked: Linked = NO_LINK
    softly: bool = False


def paint_thumbnail(
    painter: QPainter,
    corner: QPoint,
    thumbnail: Miniature,
    theme: Theme,
    font: QFont,
    lit: Highlights,
) -> None:
    """Paint a heatmap with its numbers and highlights.

    Parameters
    ----------
    painter : QPainter
        What is painted on.
    corner : QPoint
        Upper left corner of the heatmap.
    thumbnail : Miniature
        What to paint.
    theme : Theme
        Colours.
    font : QFont
        Font of the numbers.
    lit : Highlights
        The highlights.
    """
    paint_miniature(painter, corner, thumbnail, theme, font)
    hue = QColor(theme.text if lit.softly else theme.accent)
    halo = QColor(theme.surface)
    painter.save()
    painter.translate(corner)
    for rect in linked_places(thumbnail, lit.linked):
        _paint_frame(painter, rect, _LINKED, hue, halo)
    if lit.selected is not None:
        cell = thumbnail.cell_rect(lit.selected)
        _paint_frame(painter, cell, _SELECTED, QColor(theme.text), halo)
    painter.restore()


def linked_places(grid: Grid, linked: Linked) -> Iterator[QRect]:
    """Return the rectangles of rows, columns or the cells at their intersections."""
    last = grid.rows - 1, grid.columns - 1
    rows = [row for row in linked.rows if row <= last[0]]
    columns = [column for column in linked.columns if column <= last[1]]
    for row in rows if not linked.columns else ():
        yield grid.cell_rect((row, 0)) | grid.cell_rect((row, last[1]))
    for column in columns if not linked.rows else ():
        yield grid.cell_rect((0, column)) | grid.cell_rect((last[0], column))
    for row in rows:
        for column in columns:
            yield grid.cell_rect((row, column))


def _paint_frame(
    painter: QPainter, rect: QRect, width: int, color: QColor, halo: QColor
) -> None:
    """Draw a frame along the edge of a rectangle, with a halo on both sides.

    One of the two colours contrasts with any cell.
    """
    outer = _large_enough(rect)
    for outset, ink, wide in ((1, halo, width + 2), (0, color, width)):
        edge = outer.adjusted(-outset, -outset, outset, outset)
        within = edge.adjusted(wide, wide, -wide, -wide)
        if within.width() <= 0 or within.height() <= 0:
            painter.fillRect(edge, ink)
            continue
        high = edge.height()
        painter.fillRect(edge.x(), edge.y(), edge.width(), wide, ink)
        painter.fillRect(edge.x(), within.bottom() + 1, edge.width(), wide, ink)
        painter.fillRect(edge.x(), edge.y(), wide, high, ink)
        painter.fillRect(within.right() + 1, edge.y(), wide, high, ink)


def _large_enough(rect: QRect) -> QRect:
    """Return a rectangle, grown around its centre if it is too small to be seen."""
    across = max(0, _SMALLEST_FRAME - rect.width() + 1) // 2
    down = max(0, _SMALLEST_FRAME - rect.height() + 1) // 2
    return rect.adjusted(-across, -down, across, down)
