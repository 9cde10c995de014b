"""Patterns over cells whose numbers are beyond the limits of the scale."""

import math
from collections.abc import Iterator

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QBitmap, QBrush, QColor, QPainter, QPolygonF

from attnviewer.ui.paint.color_scale import OVER, UNDER
from attnviewer.ui.paint.paper import for_paper

MASKED = 255
"""Beside the kinds of numbers: cells that a mask hides."""
PATTERNED = (OVER, UNDER)
"""The kinds of numbers that have a pattern."""
TILE = 8
"""Height and width of a tile of a pattern, in pixels."""

# A small triangle in a tile of 8 × 8, a byte per line: up for what lies above the
# scale, down for what lies below.
_UP = bytes([0, 0, 0b00010000, 0b00111000, 0b01111100, 0, 0, 0])
_INKS = {OVER: "#000000", UNDER: "#ffffff"}
STRENGTH = 90
"""Opacity of a pattern over the colour of a cell, 0 to 255."""


def fill_kind(painter: QPainter, rect: QRectF, kind: int) -> None:
    """Lay the pattern of a kind, one of `PATTERNED`, over an area."""
    brush = pattern(kind)
    if not for_paper():
        painter.fillRect(rect, brush)
        return
    # Qt rasterises tiles.
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(brush.color())
    for left, top in _tiles(rect):
        painter.drawPolygon(_triangle(left, top, up=kind == OVER))
    painter.restore()


def pattern(kind: int) -> QBrush:
    """Return the brush that is laid over the colour of cells of a kind."""
    ink = QColor(_INKS[kind])
    ink.setAlpha(STRENGTH)
    bits = _UP if kind == OVER else _UP[::-1]
    return QBrush(ink, QBitmap.fromData(QSize(TILE, TILE), bits))


def _tiles(rect: QRectF) -> Iterator[tuple[float, float]]:
    for row in range(math.floor((rect.height() + 1) / TILE)):
        for column in range(math.floor((rect.width() + 1) / TILE)):
            yield rect.left() + column * TILE, rect.top() + row * TILE


def _triangle(left: float, top: float, *, up: bool) -> QPolygonF:
    tip, base = (top + 2, top + 5) if up else (top + 6, top + 3)
    corners = ((left + 1, base), (left + 6, base), (left + 3.5, tip))
    return QPolygonF([QPointF(*corner) for corner in corners])
