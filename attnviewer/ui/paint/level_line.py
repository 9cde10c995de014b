"""Level lines, painted as rectangles."""

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter


def paint_level_line(
    painter: QPainter,
    left: float,
    right: float,
    y: float,
    thickness: float,
    color: QColor,
) -> None:
    """Paint a horizontal line with square ends.

    Qt's raster engine takes up to milliseconds for a smooth line where several
    rectangles of a widget are exposed; a rectangle takes microseconds, and looks alike.

    Parameters
    ----------
    painter : QPainter
        An active painter that smooths edges.
    left, right : float
        The ends; the line reaches half its thickness beyond them.
    y : float
        Its middle.
    thickness : float
        Its thickness.
    color : QColor
        Its colour.
    """
    half = thickness / 2
    line = QRectF(left - half, y - half, right - left + thickness, thickness)
    painter.fillRect(line, color)
