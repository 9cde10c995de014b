"""What cells are filled with that have no place on a colour scale."""

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QBitmap, QBrush, QColor, QPainter, Qt

from attnviewer.ui.paint.color_scale import (
    INFINITE,
    MINUS_INFINITE,
    NAN,
    OVER,
    UNDER,
)
from attnviewer.ui.paint.hatching import TILE, fill_pattern
from attnviewer.ui.paint.theme import Theme

MASKED = 255
"""Beside the kinds of numbers: cells that a mask hides."""

_LINES = {
    MASKED: Qt.BrushStyle.BDiagPattern,
    NAN: Qt.BrushStyle.DiagCrossPattern,
    INFINITE: Qt.BrushStyle.VerPattern,
    MINUS_INFINITE: Qt.BrushStyle.HorPattern,
}
# A small triangle in a tile of 8 × 8, a byte per line: up for what lies above the
# scale, down for what lies below.
_UP = bytes([0, 0, 0b00010000, 0b00111000, 0b01111100, 0, 0, 0])
_INK = "#16202b"
STRENGTH = 90
"""Opacity of a pattern over a cell's colour, of 255."""


def fill_kind(painter: QPainter, rect: QRectF, kind: int, theme: Theme) -> None:
    """Lay the pattern of a kind over cells; see `pattern`."""
    fill_pattern(painter, rect, pattern(kind, theme), kind == OVER)


def pattern(kind: int, theme: Theme) -> QBrush:
    """Return the brush that is laid over the colour of cells of a kind.

    Parameters
    ----------
    kind : int
        One of the kinds of `color_scale`, or `MASKED`.
    theme : Theme
        The current theme.
    """
    if kind == MASKED:
        return QBrush(QColor(theme.hatch), _LINES[kind])
    ink = QColor("#ffffff" if kind in (UNDER, MINUS_INFINITE) else _INK)
    ink.setAlpha(STRENGTH)
    if kind in _LINES:
        return QBrush(ink, _LINES[kind])
    bits = _UP if kind == OVER else _UP[::-1]
    return QBrush(ink, QBitmap.fromData(QSize(TILE, TILE), bits))
