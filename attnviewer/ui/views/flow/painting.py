"""Paints a thumbnail."""

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen

from attnviewer.ui.paint.colors import INKS
from attnviewer.ui.paint.miniature.grid import Grid
from attnviewer.ui.paint.miniature.miniature import Miniature, paint_miniature
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.state.links import Linked
from attnviewer.ui.state.selection import Position

_SMALLEST_OUTLINE = 5
_DASH = 3
DARK_INK, LIGHT_INK = INKS
NO_LINK = Linked()


def _dashes(ink: QColor, offset: int) -> QPen:
    pen = QPen(ink, 1)
    pen.setDashPattern([_DASH, _DASH])
    pen.setDashOffset(offset)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    return pen


_DASHED = _dashes(DARK_INK, 0), _dashes(LIGHT_INK, _DASH)


@dataclass(frozen=True, slots=True)
class Lit:
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
    lit: Lit,
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
    lit : Lit
        The highlights.
    """
    paint_miniature(painter, corner, thumbnail, theme, font)
    painter.save()
    painter.translate(corner)
    paint_linked = _paint_dashes if lit.softly else _paint_frame
    for rect in linked_places(thumbnail, lit.linked):
        paint_linked(painter, _aimable(rect))
    if lit.selected is not None:
        _paint_outline(painter, thumbnail.cell_rect(lit.selected), theme)
    painter.restore()


def dashes_beyond(grid: Grid, lit: Lit) -> bool:
    """Return whether dashed frames extend beyond a heatmap with small cells.

    Qt would restart the dashes at the edge of the repainted region.
    """
    whole = QRect(QPoint(0, 0), grid.size)
    places = linked_places(grid, lit.linked) if lit.softly else ()
    return not all(whole.contains(_aimable(rect)) for rect in places)


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


def _paint_outline(painter: QPainter, cell: QRect, theme: Theme) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    # Two colours, so that one of them contrasts with any cell.
    for inset, color in ((0, theme.text), (1, theme.surface)):
        painter.setPen(QPen(QColor(color), 1))
        painter.drawRect(_aimable(cell).adjusted(inset, inset, -inset, -inset))


def _paint_frame(painter: QPainter, rect: QRect) -> None:
    """Draw a light frame between dark ones, visible on every colour."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for outset, ink in ((1, DARK_INK), (0, LIGHT_INK), (-1, DARK_INK)):
        painter.setPen(QPen(ink, 1))
        painter.drawRect(rect.adjusted(-outset, -outset, outset - 1, outset - 1))


def _paint_dashes(painter: QPainter, rect: QRect) -> None:
    """Draw a frame of alternating dark and light dashes."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    frame = rect.adjusted(0, 0, -1, -1)
    for pen in _DASHED:
        painter.setPen(pen)
        painter.drawRect(frame)


def _aimable(rect: QRect) -> QRect:
    """Return a rectangle, grown around its centre if it is too small to be seen."""
    across = max(0, _SMALLEST_OUTLINE - rect.width() + 1) // 2
    down = max(0, _SMALLEST_OUTLINE - rect.height() + 1) // 2
    return rect.adjusted(-across, -down, across, down)
