"""Paints what lies under the strip's cards: the lens and the edges."""

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath, QPen, QPolygonF

from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.views.flow.places import Line

_EDGE, _LANE = 1.25, 1.75
"""Widths of edges, and of those with a hue."""
_ARROW = 5.0
_CORNER = 10.0
_RADIUS = 8.0
_TINT = 0.09
"""Opacity of the lens."""


def paint_lens(painter: QPainter, lens: QRect, theme: Theme) -> None:
    """Paint the frame around what is shown large."""
    accent = QColor(theme.accent)
    tint = QColor(accent)
    tint.setAlphaF(_TINT)
    painter.setPen(QPen(accent, 1.5))
    painter.setBrush(tint)
    edge = QRectF(lens).adjusted(0.75, 0.75, -0.75, -0.75)
    painter.drawRoundedRect(edge, _RADIUS, _RADIUS)


def paint_tag(
    painter: QPainter, tag: QRect, text: str, theme: Theme, font: QFont
) -> None:
    """Paint the tag of the lens."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.fill))
    painter.drawRoundedRect(QRectF(tag), tag.height() / 2, tag.height() / 2)
    painter.setFont(font)
    painter.setPen(QColor(theme.on_fill))
    painter.drawText(tag, Qt.AlignmentFlag.AlignCenter, text)


def paint_line(painter: QPainter, line: Line, path: QPainterPath, theme: Theme) -> None:
    """Paint an edge, given its path."""
    hues = {"query": theme.query, "key": theme.key, "value": theme.value}
    color = QColor(hues[line.lane] if line.lane else theme.muted)
    pen = QPen(color, _LANE if line.lane else _EDGE)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPath(path)
    if line.arrow:
        _paint_arrow(painter, line, color)


def path_of(line: Line) -> QPainterPath:
    """Return the path of an edge."""
    path = QPainterPath(QPointF(line.start) + QPointF(0, 0.5))
    level = line.level + 0.5
    first, second = line.bends
    if line.rises:
        _bend(path, QPointF(first, level))
        x, y = line.end.x() + 0.5, float(line.end.y())
        radius = min(_CORNER, max(0.0, x - path.currentPosition().x()))
        path.lineTo(x - radius, level)
        path.quadTo(x, level, x, max(y, level - _CORNER))
        path.lineTo(x, y)
        return path
    if line.start.x() == line.end.x():
        path.lineTo(QPointF(line.end))
        return path
    _bend(path, QPointF(first, level))
    path.lineTo(max(first, second), level)
    inset = _ARROW - 1 if line.arrow else 0
    _bend(path, QPointF(line.end.x() - inset, line.end.y() + 0.5))
    return path


def _bend(path: QPainterPath, end: QPointF) -> None:
    """Lead a path to a point, level at both ends."""
    start = path.currentPosition()
    if start.y() == end.y():
        path.lineTo(end)
    else:
        middle = (start.x() + end.x()) / 2
        path.cubicTo(middle, start.y(), middle, end.y(), end.x(), end.y())


def _paint_arrow(painter: QPainter, line: Line, color: QColor) -> None:
    x, y = line.end.x() + 1.0, line.end.y() + 0.5
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    corners = (x, y), (x - _ARROW - 1, y - _ARROW * 0.7), (x - _ARROW - 1, y + 3.5)
    painter.drawPolygon(QPolygonF([QPointF(*corner) for corner in corners]))
