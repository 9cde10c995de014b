"""Paints what lies under the strip's cards: the lens, the edges and their notes."""

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QPainter,
    QPainterPath,
    QPen,
    QPolygonF,
    QRegion,
)

from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.views.flow.graph import FlowGraph
from attnviewer.ui.views.flow.lens import tag_of
from attnviewer.ui.views.flow.measures import Measures
from attnviewer.ui.views.flow.notes import notes_on
from attnviewer.ui.views.flow.places import FlowLayout, Line

if TYPE_CHECKING:
    from collections.abc import Iterable

_tr = translate_in("FlowStrip")

_EDGE, _LANE = 1.25, 1.75
"""Widths of edges, and of those with a hue."""
_ARROW = 5.0
_CORNER = 10.0
_RADIUS = 8.0
_TINT = 0.09
"""Opacity of the lens."""


class Ground:
    """Everything of a layout that is not a card or an operation.

    Parameters
    ----------
    graph : FlowGraph
        The map.
    layout : FlowLayout
        Where everything stands.
    measures : Measures
        Fonts.
    room : QRect
        The strip.
    """

    def __init__(
        self, graph: FlowGraph, layout: FlowLayout, measures: Measures, room: QRect
    ) -> None:
        self._layout = layout
        self._measures = measures
        self._room = QRect(room)
        self._paths = [(line, _path_of(line)) for line in layout.lines]
        self._wordless = QRegion(room)
        for words in layout.words.values():
            self._wordless -= QRegion(words.rect if words.lines else QRect())
        for card in layout.cards.values():
            self._wordless -= QRegion(card.title)
        self.notes = notes_on(
            graph, layout, measures.letters, room, _tr("values"), _shared_heads
        )

    def tag(self, lens: QRect) -> QRect:
        """Return where the tag of a lens stands."""
        if lens.isNull():
            return QRect()
        layout, letters = self._layout, self._measures.letters
        width = letters.word(_tag_text()) + letters.pixels(12)
        size = QSize(width, letters.word_height + 2)
        taken = [part for card in layout.cards.values() for part in card.parts]
        taken += [w.rect for w in (*layout.pills.values(), *layout.words.values())]
        taken += [note.rect for note in self.notes]
        return tag_of(lens, size, taken, self._room)

    def shows_in(self, region: QRegion) -> bool:
        """Return whether any of it is in a region; maps are painted by their cards."""
        pictures = [card.picture for card in self._layout.cards.values()]
        rects = cast("Iterable[QRect]", region)  # as PySide's types do not tell
        return not all(any(p.contains(rect) for p in pictures) for rect in rects)

    def paint(self, painter: QPainter, lens: QRect, theme: Theme) -> None:
        """Paint all of it, with the lens where it is."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not lens.isNull():
            _paint_lens(painter, lens, theme)
        painter.save()
        painter.setClipRegion(self._wordless)
        for line, path in self._paths:
            _paint_line(painter, line, path, theme)
        painter.restore()
        word = self._measures.word
        painter.setFont(word)
        painter.setPen(QColor(theme.muted))
        for note in self.notes:
            painter.drawText(note.rect, Qt.AlignmentFlag.AlignCenter, note.text)
        tag = self.tag(lens)
        if not tag.isNull():
            _paint_tag(painter, tag, _tag_text(), theme, word)


def _shared_heads(few: int, many: int) -> str:
    one, more = _tr("1 head, shared by {1}"), _tr("{0} heads, shared by {1}")
    return (one if few == 1 else more).format(few, many)


def _tag_text() -> str:
    return _tr("shown below")


def _paint_lens(painter: QPainter, lens: QRect, theme: Theme) -> None:
    """Paint the frame around what is shown large."""
    accent = QColor(theme.accent)
    tint = QColor(accent)
    tint.setAlphaF(_TINT)
    painter.setPen(QPen(accent, 1.5))
    painter.setBrush(tint)
    edge = QRectF(lens).adjusted(0.75, 0.75, -0.75, -0.75)
    painter.drawRoundedRect(edge, _RADIUS, _RADIUS)


def _paint_tag(
    painter: QPainter, tag: QRect, text: str, theme: Theme, font: QFont
) -> None:
    """Paint the tag of the lens."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.fill))
    painter.drawRoundedRect(QRectF(tag), tag.height() / 2, tag.height() / 2)
    painter.setFont(font)
    painter.setPen(QColor(theme.on_fill))
    painter.drawText(tag, Qt.AlignmentFlag.AlignCenter, text)


def _paint_line(
    painter: QPainter, line: Line, path: QPainterPath, theme: Theme
) -> None:
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


def _path_of(line: Line) -> QPainterPath:
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
