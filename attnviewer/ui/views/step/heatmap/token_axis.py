"""The labels along an edge of the heatmap, as many as there is room for."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter
from PySide6.QtWidgets import (
    QGraphicsItem,
    QGraphicsSceneHoverEvent,
    QGraphicsSceneMouseEvent,
    QGraphicsWidget,
    QStyleOptionGraphicsItem,
    QWidget,
)

from attnviewer.ui.paint.fonts import usual_line
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.widgets.tool_tips import plain_tip

Edge = Literal["left", "top"]

SPACE = 6.0
"""Between a label and the cells, and at least between two labels in a row."""
WIDEST = 10.0
LONGEST_UPRIGHT = 6.4
"""Most that labels take, in heights of their lines."""
FEWEST_LINES = 2.5
"""Upright labels have at least this length, in heights of their lines."""
TIGHT = 1.1
"""Distance of upright labels, in heights of their lines."""
ELIDED_FROM = 4.8
"""Columns so many lines wide shorten a long label rather than have all upright."""


@dataclass(frozen=True, slots=True)
class PlacedLabel:
    """A label that is drawn, in the axis' coordinates."""

    index: int
    text: str
    rect: QRectF


class TokenAxis(QGraphicsWidget):
    """Labels centred on rows or columns; they never overlap.

    Where they are too many, every k-th is drawn. Columns too narrow for words
    have them upright. The tool tip has what was shortened or left out.

    Parameters
    ----------
    edge : str
        ``left`` for the rows, ``top`` for the columns.

    Attributes
    ----------
    label_clicked : Signal
        A row or column, and the keys that were held.
    """

    label_clicked = Signal(int, object)

    def __init__(self, edge: Edge) -> None:
        super().__init__()
        self._edge = edge
        self._name = ""
        self._labels: tuple[str, ...] = ()
        self._widest = 0.0
        self._numeric = True
        self._upright = False
        self._chosen: int | None = None
        self._marked: frozenset[int] = frozenset()
        self._lit: frozenset[int] = frozenset()
        self._range = (0.0, 1.0)
        self._head_room = 0.0
        self._text = self._muted = self._accent = self._ground = QColor()
        self.setAcceptHoverEvents(True)
        # Edits of numbers change no labels, and writing takes long.
        self.setCacheMode(QGraphicsItem.CacheMode.DeviceCoordinateCache)

    @property
    def upright(self) -> bool:
        """Whether the labels stand upright, as decided by `extent`."""
        return self._upright

    def set_labels(self, labels: Sequence[str], name: str, font: QFont) -> None:
        """Show other labels, and what they are called together."""
        if (tuple(labels), name, font) == (self._labels, self._name, self.font()):
            return
        self._labels, self._name = tuple(labels), name
        self.setFont(font)
        metrics = QFontMetricsF(font)
        self._widest = max(map(metrics.horizontalAdvance, self._labels), default=0.0)
        self._numeric = all(label.isdecimal() for label in self._labels)
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._text, self._muted = QColor(theme.text), QColor(theme.muted)
        self._accent, self._ground = QColor(theme.accent), QColor(theme.selected)
        self.update()

    def set_range(self, start: float, stop: float) -> None:
        """Show the rows or columns of a range, in cells."""
        if (start, stop) != self._range:
            self._range = start, stop
            self.update()

    def set_head_room(self, height: float) -> None:
        """Say how far above the rows their name goes, beside that of the columns."""
        if height != self._head_room:
            self.prepareGeometryChange()
            self._head_room = height

    def draw_anew(self) -> None:
        """Let go of the picture that is kept, as the axis has gone elsewhere."""
        # An update alone leaves parts of it, which Qt moves along.
        mode = self.cacheMode()
        self.setCacheMode(QGraphicsItem.CacheMode.NoCache)
        self.setCacheMode(mode)

    def set_chosen(self, index: int | None) -> None:
        """Set off the label of the selected row or column."""
        if index != self._chosen:
            self._chosen = index
            self.update()

    def set_marked(self, indices: frozenset[int]) -> None:
        """Lay a ground under the labels of marked rows or columns."""
        if indices != self._marked:
            self._marked = indices
            self.update()

    def set_lit(self, indices: frozenset[int]) -> None:
        """Set off the labels that belong to what is under the pointer."""
        if indices != self._lit:
            self._lit = indices
            self.update()

    def extent(self, pixels: float, most: float) -> float:
        """Decide how to draw the labels, and return the room that needs.

        Parameters
        ----------
        pixels : float
            Height of a row or width of a column.
        most : float
            The most room there is.
        """
        metrics = QFontMetricsF(self.font())
        if self._edge == "left":
            needed = max(metrics.horizontalAdvance(self._name), self._widest)
            widest = WIDEST * usual_line(self.font())
            return math.floor(min(math.ceil(needed) + 2 * SPACE, widest, most))
        fits = (
            self._widest + SPACE <= pixels or pixels >= ELIDED_FROM * metrics.height()
        )
        line = metrics.height()
        upright = min(self._widest, most - line - 1.5 * SPACE)
        # Too short to be read, they had better lie, and be fewer.
        readable = upright >= min(self._widest, FEWEST_LINES * line)
        self._upright = readable and not (self._numeric or fits)
        length = min(self._widest, LONGEST_UPRIGHT * line) if self._upright else line
        return min(math.ceil(line + SPACE / 2 + length + SPACE), most)

    def placed(self) -> list[PlacedLabel]:
        """Return the labels in sight with their places."""
        start, stop = self._range
        along = self.size().width() if self._edge == "top" else self.size().height()
        if not self._labels or stop <= start or along <= 0:
            return []
        pixels = along / (stop - start)
        metrics = QFontMetricsF(self.font())
        stride, room = self._stride(pixels, metrics)
        first = max(0, math.ceil((start - 0.5) / stride)) * stride
        last = min(len(self._labels) - 1, math.floor(stop - 0.5))
        return [
            self._place(index, (index + 0.5 - start) * pixels, room, metrics)
            for index in range(first, last + 1, stride)
        ]

    def boundingRect(self) -> QRectF:
        # A label wider than its column reaches past the axis' ends.
        above = max(20.0, self._head_room)
        line = QFontMetricsF(self.font()).height()
        beside = WIDEST * usual_line(self.font()) / 2
        return super().boundingRect().adjusted(-beside, -above, beside, line)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionGraphicsItem,
        widget: QWidget | None = None,
    ) -> None:
        painter.setFont(self.font())
        self._paint_name(painter)
        flags = Qt.TextFlag.TextSingleLine | Qt.AlignmentFlag.AlignVCenter
        for label in self.placed():
            if label.index in self._marked:
                painter.fillRect(label.rect.adjusted(-2, 0, 2, 0), self._ground)
            off = label.index == self._chosen or label.index in self._lit
            painter.setPen(self._accent if off else self._text)
            if self._upright:
                painter.save()
                painter.translate(label.rect.bottomLeft())
                painter.rotate(-90)
                rect = QRectF(0, 0, label.rect.height(), label.rect.width())
                painter.drawText(rect, flags, label.text)
                painter.restore()
            else:
                painter.drawText(label.rect, flags, label.text)

    def hoverMoveEvent(self, event: QGraphicsSceneHoverEvent) -> None:
        index = self._index_at(event.pos())
        self.setToolTip("" if index is None else plain_tip(self._labels[index]))

    def mousePressEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        index = self._index_at(event.pos())
        left = event.button() == Qt.MouseButton.LeftButton
        if index is None or not left:
            event.ignore()
            return
        self.label_clicked.emit(index, event.modifiers())
        event.accept()

    def _index_at(self, position: QPointF) -> int | None:
        size, start = self.size(), self._range[0]
        if self._edge == "top":
            share = position.x() / max(1.0, size.width())
        else:
            share = position.y() / max(1.0, size.height())
        index = math.floor(start + share * (self._range[1] - start))
        return index if 0 <= share < 1 and 0 <= index < len(self._labels) else None

    def _stride(self, pixels: float, metrics: QFontMetricsF) -> tuple[int, float]:
        """Return every which label is drawn, and how long one may be."""
        if self._edge == "left":
            return _round_stride(metrics.height() / pixels), self.size().width() - SPACE
        if self._upright:
            line = metrics.height() + SPACE / 2
            room = self.size().height() - line - SPACE
            return _round_stride(TIGHT * metrics.height() / pixels), room
        line = metrics.height()
        least = min(self._widest, ELIDED_FROM * line - SPACE) + SPACE
        stride = _round_stride(least / pixels)
        return stride, min(stride * pixels - SPACE, WIDEST * usual_line(self.font()))

    def _place(
        self, index: int, centre: float, room: float, metrics: QFontMetricsF
    ) -> PlacedLabel:
        text = metrics.elidedText(
            self._labels[index], Qt.TextElideMode.ElideRight, max(room, 1.0)
        )
        long, line = math.ceil(metrics.horizontalAdvance(text)), metrics.height()
        size = self.size()
        if self._edge == "left":
            right = size.width() - SPACE
            rect = QRectF(right - long, centre - line / 2, long, line)
        elif self._upright:
            bottom = size.height() - SPACE
            rect = QRectF(centre - line / 2, bottom - long, line, long)
        else:
            bottom = size.height() - SPACE
            rect = QRectF(centre - long / 2, bottom - line, long, line)
        return PlacedLabel(index, text, rect)

    def _paint_name(self, painter: QPainter) -> None:
        metrics = QFontMetricsF(self.font())
        painter.setPen(self._muted)
        painter.drawText(QPointF(0, metrics.ascent() - self._head_room), self._name)


def _round_stride(least: float) -> int:
    """Return the smallest of 1, 2, 5, 10, 20, 50 … that is not below `least`."""
    if least <= 1:
        return 1
    power = int(10 ** math.floor(math.log10(least)))
    return next(k * power for k in (1, 2, 5, 10) if k * power >= least)
