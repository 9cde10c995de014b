"""The mark of a pinned cell: a filled triangle in its upper left corner.

A shape, so that it is seen in every colour map and by everyone; its ink is black or
white, whichever has more contrast with the cell.
"""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from attnviewer.compute import Array, BoolArray
from attnviewer.ui.paint.color_scale import ColorScale, Rgb
from attnviewer.ui.paint.colors import INKS, cell_colors, wants_light_ink
from attnviewer.ui.paint.theme import Theme

SMALLEST_CELL = 6.0
"""Smaller cells, in pixels, have no mark of their own."""
SMALLEST, LARGEST = 4.0, 10.0
"""The sides of the smallest and of the largest mark, in pixels."""
SHARE = 0.25
"""The side of the mark, as a share of the cell's."""
ALONG = 0.7
"""Where on a line its mark is, as a share of its length: lines cross in the middle."""
INSET = 0.1
"""The distance of the mark from the edges, as a share of the cell's side: a mark that
touches an edge, or the frame of the selection, would look like a corner cut off."""
MOST_INSET = 5.0
"""The largest such distance, in pixels."""
BADGE = 9
"""Side of the triangle of a card with pins, in pixels."""


def has_room(width: float, height: float) -> bool:
    """Return whether cells of a size have marks."""
    return min(width, height) >= SMALLEST_CELL


def mark_of(cell: QRectF) -> QPolygonF:
    """Return the mark of a cell that has room for it."""
    side = min(cell.width(), cell.height())
    inset = min(MOST_INSET, float(round(INSET * side)))
    length = min(LARGEST, max(SMALLEST, SHARE * side))
    return triangle(cell.topLeft() + QPointF(inset, inset), length)


def triangle(corner: QPointF, side: float) -> QPolygonF:
    """Return the right triangle below and beside an upper left corner."""
    return QPolygonF([corner, corner + QPointF(side, 0), corner + QPointF(0, side)])


def diamond(middle: QPointF, radius: float) -> QPolygonF:
    """Return the mark of the line of a pinned weight, around a point on it."""
    across, down = QPointF(radius, 0), QPointF(0, radius)
    return QPolygonF([middle - down, middle + across, middle + down, middle - across])


def mark_inks(
    values: Array,
    pinned: BoolArray,
    scale: ColorScale,
    theme: Theme,
    hidden: BoolArray | None = None,
    shown: BoolArray | None = None,
) -> list[QColor]:
    """Return the inks of the marks of a window, row by row.

    Parameters
    ----------
    values : ndarray, shape (rows, columns)
        The numbers.
    pinned : ndarray of bool, shape (rows, columns)
        Which of them are pinned.
    scale, theme, hidden, shown
        See `cell_colors`.
    """
    few = [
        None if part is None else part[pinned][None, :] for part in (hidden, shown)
    ]  # each (1, marks)
    colors = cell_colors(values[pinned][None, :], scale, theme, *few)
    return inks_on(colors[0])


def inks_on(colors: Rgb) -> list[QColor]:
    """Return the inks of marks on colours, (marks, 3)."""
    return [INKS[int(light)] for light in wants_light_ink(colors).tolist()]


def paint_mark(painter: QPainter, cell: QRectF, ink: QColor) -> None:
    """Paint the mark of a cell that has room for it."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ink)
    painter.drawPolygon(mark_of(cell))
    painter.restore()


def paint_badge(painter: QPainter, corner: QPointF, theme: Theme) -> None:
    """Paint what tells a card with pins, across the corner of its frame.

    Parameters
    ----------
    painter : QPainter
        What is painted on.
    corner : QPointF
        Where its frame has it: outside, so that little of the heatmap is covered.
    theme : Theme
        Colours.
    """
    painter.setPen(QPen(QColor(theme.window), 1))
    painter.setBrush(QColor(theme.text))
    painter.drawPolygon(triangle(corner, BADGE))
