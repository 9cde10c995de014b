"""Patterns over areas, on paper as lines and triangles."""

import math
from collections.abc import Iterator

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QPainter, QPen, QPolygonF

from attnviewer.ui.paint.paper import for_paper

TILE = 8
"""Height and width of a tile of a pattern, in pixels."""
Style = Qt.BrushStyle


def fill_pattern(
    painter: QPainter, rect: QRectF, brush: QBrush, up: bool = True
) -> None:
    """Fill an area with a pattern.

    Parameters
    ----------
    painter : QPainter
        What is painted on.
    rect : QRectF
        The area.
    brush : QBrush
        The pattern: one of Qt's line patterns, or a tile with a triangle.
    up : bool
        Which way the triangle points.
    """
    if not for_paper():
        painter.fillRect(rect, brush)
        return
    # Qt rasterises tiles, and each paint device draws hatch lines differently.
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if brush.style() == Style.TexturePattern:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(brush.color())
        for left, top in _tiles(rect):
            painter.drawPolygon(_triangle(left, top, up))
    else:
        painter.setPen(QPen(brush.color(), 1))
        painter.drawLines(list(_lines(rect, brush.style())))
    painter.restore()


def _lines(rect: QRectF, style: Qt.BrushStyle) -> Iterator[QLineF]:
    """Return lines a tile apart, which continue across neighbouring areas."""
    x, y, right, bottom = rect.left(), rect.top(), rect.right(), rect.bottom()
    if style == Style.VerPattern:
        for k in _steps(x, right):
            yield QLineF(k, y, k, bottom)
    if style == Style.HorPattern:
        for k in _steps(y, bottom):
            yield QLineF(x, k, right, k)
    if style in (Style.BDiagPattern, Style.DiagCrossPattern):
        for k in _steps(x + y, right + bottom):
            top, end = max(y, k - right), min(bottom, k - x)
            yield QLineF(k - top, top, k - end, end)
    if style == Style.DiagCrossPattern:
        for k in _steps(x - bottom, right - y):
            top, end = max(y, x - k), min(bottom, right - k)
            yield QLineF(k + top, top, k + end, end)


def _steps(start: float, stop: float) -> range:
    return range(math.ceil(start / TILE) * TILE, math.floor(stop) + 1, TILE)


def _tiles(rect: QRectF) -> Iterator[tuple[float, float]]:
    top = rect.top()
    while top + TILE <= rect.bottom() + 1:
        left = rect.left()
        while left + TILE <= rect.right() + 1:
            yield left, top
            left += TILE
        top += TILE


def _triangle(left: float, top: float, up: bool) -> QPolygonF:
    tip, base = (top + 2, top + 5) if up else (top + 6, top + 3)
    corners = ((left + 1, base), (left + 6, base), (left + 3.5, tip))
    return QPolygonF([QPointF(*corner) for corner in corners])
