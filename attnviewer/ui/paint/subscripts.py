"""Painting of lines whose names, such as W_Q, have subscripts."""

from collections.abc import Iterator

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter

from attnviewer.ui.paint.fonts import scaled
from attnviewer.ui.text.subscripts import LOWERED, SMALLER, has_subscripts, parts_of


def printed_width(line: str, font: QFont) -> float:
    """Return the width of a line with its subscripts."""
    return sum(width for _, width, _ in _printed(line, font))


def print_at(painter: QPainter, start: QPointF, line: str) -> None:
    """Draw a line with its subscripts from a point of its baseline on."""
    font, at = painter.font(), QPointF(start)
    lowered = QPointF(0, LOWERED * QFontMetricsF(font).ascent())
    for number, (part, width, face) in enumerate(_printed(line, font)):
        painter.setFont(face)
        painter.drawText(at + lowered if number % 2 else at, part)
        at += QPointF(width, 0)
    painter.setFont(font)


def print_in(
    painter: QPainter, room: QRect, alignment: Qt.AlignmentFlag, line: str
) -> None:
    """Draw a line with its subscripts in the middle of the height of a room."""
    if not has_subscripts(line):
        painter.drawText(room, alignment, line)
        return
    metrics = QFontMetricsF(painter.font())
    free = room.width() - printed_width(line, painter.font())
    before = 0.0
    if alignment & Qt.AlignmentFlag.AlignHCenter:
        before = free / 2
    elif alignment & Qt.AlignmentFlag.AlignRight:
        before = free
    high = metrics.ascent() + metrics.descent()
    baseline = room.top() + (room.height() - high) / 2 + metrics.ascent()
    print_at(painter, QPointF(room.left() + before, baseline), line)


def _printed(line: str, font: QFont) -> Iterator[tuple[str, float, QFont]]:
    """Yield the parts of a line with their widths and fonts."""
    faces = font, scaled(font, SMALLER)
    for number, part in enumerate(parts_of(line)):
        face = faces[number % 2]
        yield part, QFontMetricsF(face).horizontalAdvance(part), face
