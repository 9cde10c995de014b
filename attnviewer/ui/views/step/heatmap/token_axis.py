"""The labels along an edge of the heatmap, as many as fit."""

import math
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
)
from PySide6.QtWidgets import (
    QGraphicsItem,
    QGraphicsSceneHoverEvent,
    QGraphicsSceneMouseEvent,
    QGraphicsWidget,
    QStyleOptionGraphicsItem,
    QWidget,
)

from attnviewer.ui.paint.elision import elided
from attnviewer.ui.paint.fonts import usual_line
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.text.cached import cached_words
from attnviewer.ui.views.step.heatmap.axis_title import AxisTitle, Edge
from attnviewer.ui.views.step.heatmap.label_layout import (
    CLOSE,
    DIAGONAL,
    ELIDED_FROM,
    LONGEST_TURNED,
    SLANTED_FROM,
    ColumnLayout,
    MeasuredLabels,
)
from attnviewer.ui.views.step.heatmap.marks import CACHE_LINE
from attnviewer.ui.views.step.heatmap.placed_label import (
    SPACE,
    PlacedLabel,
    Turn,
    round_stride,
)
from attnviewer.ui.widgets.tool_tips import plain_tip

WIDEST = 10.0
"""Largest width of level labels, in line heights of the usual font."""


class TokenAxis(QGraphicsWidget):
    """Labels centred on rows or columns; they never overlap.

    In narrow columns they are slanted, in narrower ones upright, then smaller; at last
    only every k-th is drawn. The tool tip shows labels that were shortened or left out.

    Parameters
    ----------
    edge : str
        ``left`` for the rows, ``top`` for the columns.

    Attributes
    ----------
    label_clicked : Signal
        A row or column, and the keyboard modifiers.
    """

    label_clicked = Signal(int, object)

    def __init__(self, edge: Edge) -> None:
        super().__init__()
        self._edge = edge
        self._title = AxisTitle(edge)
        self._labels: tuple[str, ...] = ()
        self._measured = MeasuredLabels((), self.font())
        self._layout = ColumnLayout()
        self._room = 0.0
        self._chosen: int | None = None
        self._pressed: int | None = None
        self._marked: frozenset[int] = frozenset()
        self._lit: frozenset[int] = frozenset()
        self._cached: frozenset[int] = frozenset()
        self._range = (0.0, 1.0)
        self._text = self._muted = self._accent = self._ground = self._key = QColor()
        self.setAcceptHoverEvents(True)
        # Edits of numbers change no labels, and drawing text is slow.
        self.setCacheMode(QGraphicsItem.CacheMode.DeviceCoordinateCache)

    @property
    def turn(self) -> Turn:
        """The angle of the labels, as decided by `extent`."""
        return self._layout.turn

    def set_labels(self, labels: Sequence[str], name: str, font: QFont) -> None:
        """Set the labels and the title of the axis."""
        if (tuple(labels), name, font) == (self._labels, self._title.text, self.font()):
            return
        self._labels, self._title.text = tuple(labels), name
        self.setFont(font)
        self._measured = MeasuredLabels(self._labels, font)
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Apply the colours of a theme."""
        self._text, self._muted = QColor(theme.text), QColor(theme.muted)
        self._accent, self._ground = QColor(theme.accent), QColor(theme.selected)
        self._key = QColor(theme.key)
        self.update()

    def set_range(self, start: float, stop: float) -> None:
        """Show the rows or columns of a range, in cells."""
        if (start, stop) != self._range:
            self._range = start, stop
            self.update()

    def set_head_room(self, height: float) -> None:
        """Set how far above the rows the axis title is, beside that of the columns."""
        if height != self._title.head_room:
            self.prepareGeometryChange()
            self._title.head_room = height

    def set_name_in_corner(self, in_corner: bool) -> None:
        """Put the title between the row and the column labels, in small letters."""
        if in_corner != self._title.in_corner:
            self._title.in_corner = in_corner
            self.update()

    def draw_anew(self) -> None:
        """Drop the cached picture, as the axis has moved."""
        # After an update alone, Qt still moves parts of the old picture.
        mode = self.cacheMode()
        self.setCacheMode(QGraphicsItem.CacheMode.NoCache)
        self.setCacheMode(mode)

    def set_chosen(self, index: int | None) -> None:
        """Emphasise the label of the selected row or column."""
        if index != self._chosen:
            self._chosen = index
            self.update()

    def set_marked(self, indices: frozenset[int]) -> None:
        """Paint a background behind the labels of marked rows or columns."""
        if indices != self._marked:
            self._marked = indices
            self.update()

    def set_lit(self, indices: frozenset[int]) -> None:
        """Emphasise the labels linked to the cell under the pointer."""
        if indices != self._lit:
            self._lit = indices
            self.update()

    def set_cached(self, indices: frozenset[int]) -> None:
        """Draw a line along the columns whose keys are in the cache."""
        if indices != self._cached:
            self._cached = indices
            self.update()

    def overhang(self, pixels: float) -> float:
        """Return how far the first label is above its row, in rows of this height."""
        line = QFontMetricsF(self._drawn_in(pixels)).height()
        return max(0.0, (line - pixels) / 2)

    def extent(self, pixels: float, most: float, overhang: float = 0.0) -> float:
        """Decide how to draw the labels, and return the space they need.

        Parameters
        ----------
        pixels : float
            Height of a row or width of a column.
        most : float
            The available space.
        overhang : float
            How far the first row label reaches into the space above the cells.
        """
        metrics = QFontMetricsF(self.font())
        line = metrics.height()
        if self._edge == "left":
            needed = max(
                metrics.horizontalAdvance(self._title.text), self._measured.widest
            )
            widest = WIDEST * usual_line(self.font())
            return math.floor(min(math.ceil(needed) + 2 * SPACE, widest, most))
        self._room = most - self._title.height(self.font()) - SPACE
        self._layout = self._measured.in_columns(pixels, self._room)
        drawn = QFontMetricsF(self._drawn_in(pixels)).height()
        length = min(self._measured.widest * drawn / line, LONGEST_TURNED * drawn)
        high = {0: line, 45: (length + drawn) * DIAGONAL, 90: length}[self._layout.turn]
        above = self._title.height(self.font()) + high + SPACE
        least = self._title.least_height(self.font(), overhang)
        return min(math.ceil(max(above, least)), most)

    def placed(self) -> list[PlacedLabel]:
        """Return the visible labels with their rectangles."""
        start, stop = self._range
        along = self.size().width() if self._edge == "top" else self.size().height()
        if not self._labels or stop <= start or along <= 0:
            return []
        pixels = along / (stop - start)
        if self._edge == "top":
            whole = stop - start >= len(self._labels)
            # What is magnified keeps the height that all of it needs.
            below = self.size().height() - self._title.height(self.font()) - SPACE
            room = self._room if whole else below
            self._layout = self._measured.in_columns(pixels, room)
        metrics = QFontMetricsF(self._drawn_in(pixels))
        stride, room = self._stride(pixels, metrics)
        first = max(0, math.ceil(start - 0.5))
        last = min(len(self._labels) - 1, math.floor(stop - 0.5))
        strided = range(-(-first // stride) * stride, last + 1, stride)
        indices: set[int] = set()
        # Of those that are too close, the emphasised one stays.
        for index in (*self._emphasised(first, last), *strided):
            near = range(index - stride + 1, index + stride)
            if indices.isdisjoint(near):
                indices.add(index)
        drawn = sorted(indices)
        names = [self._labels[k] for k in drawn]
        texts = elided(names, metrics, max(room, 1.0))
        measured = [metrics] * len(drawn)
        if self._chosen in indices:
            own = drawn.index(self._chosen)
            measured[own] = QFontMetricsF(_bold(self._drawn_in(pixels)))
            # Bold letters are wider, and may come closer to the labels beside.
            beside = CLOSE if self._edge == "top" and not self._layout.turn else 0.0
            texts[own] = elided(names, measured[own], max(room + beside, 1.0))[own]
        return [
            self._place(index, text, (index + 0.5 - start) * pixels, letters)
            for index, text, letters in zip(drawn, texts, measured, strict=True)
        ]

    def boundingRect(self) -> QRectF:
        # A label wider than its column may extend past the ends of the axis, but none
        # over the cells, which would be painted with all labels.
        above = max(20.0, self._title.head_room)
        line = QFontMetricsF(self.font()).height()
        beside = max(WIDEST * usual_line(self.font()) / 2, LONGEST_TURNED * line)
        right, below = (0.0, line) if self._edge == "left" else (beside, 0.0)
        return super().boundingRect().adjusted(-beside, -above, right, below)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionGraphicsItem,
        widget: QWidget | None = None,
    ) -> None:
        painter.setFont(self.font())
        placed = self.placed()
        painter.setPen(self._muted)
        first = placed[0].rect.top() if placed else 0.0
        self._title.paint(painter, self.font(), self.size().width(), first)
        start, stop = self._range
        along = self.size().width() if self._edge == "top" else self.size().height()
        pixels = along / (stop - start)
        low = self.size().height() - CACHE_LINE
        for index in self._cached:
            left, right = (max(0.0, k - start) * pixels for k in (index, index + 1))
            line = QRectF(left, low, min(right, along) - left, CACHE_LINE)
            painter.fillRect(line, self._key)
        plain = self._drawn_in(pixels) if placed else self.font()
        bold = _bold(plain)
        # Towards the cells, which bold letters must not reach; in every script.
        cells = Qt.AlignmentFlag.AlignRight
        if self._edge == "top":
            level = not self._layout.turn
            align = Qt.AlignmentFlag
            cells = align.AlignHCenter if level else align.AlignLeft
        flags = (
            Qt.TextFlag.TextSingleLine
            | Qt.TextFlag.TextDontClip
            | Qt.AlignmentFlag.AlignVCenter
            | Qt.AlignmentFlag.AlignAbsolute
            | cells
        )
        before = painter.transform()
        for label in placed:
            painter.setTransform(label.place, combine=True)
            rect = label.text_rect
            if label.index in self._marked:
                ground = rect.adjusted(-2, 0, 2, 0)
                high = max(
                    self._measured.high * rect.height(), min(rect.height(), pixels)
                )
                ground.setHeight(high)
                ground.moveCenter(rect.center())
                painter.fillRect(ground, self._ground)
            chosen = label.index == self._chosen
            lit = chosen or label.index in self._lit
            painter.setFont(bold if chosen else plain)
            painter.setPen(self._accent if lit else self._text)
            painter.drawText(rect, flags, label.text)
            painter.setTransform(before)

    def hoverMoveEvent(self, event: QGraphicsSceneHoverEvent) -> None:
        index = self._index_at(event.pos())
        tip = "" if index is None else self._labels[index]
        tip += f"\n{cached_words()}" if index in self._cached else ""
        self.setToolTip(plain_tip(tip))

    def mousePressEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        index = self._index_at(event.pos())
        left = event.button() == Qt.MouseButton.LeftButton
        if index is None or not left:
            event.ignore()
            return
        self._pressed = index
        self.label_clicked.emit(index, event.modifiers())
        event.accept()

    def mouseMoveEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        index = self._index_at(event.pos())
        if index is None or index == self._pressed:
            return
        self._pressed = index
        # A drag marks as a click with Shift does: up to here.
        self.label_clicked.emit(index, Qt.KeyboardModifier.ShiftModifier)

    def index_at(self, position: QPointF) -> int | None:
        """Return the row or column whose label is at a position in the scene."""
        inside = self.mapFromScene(position)
        return self._index_at(inside) if self.rect().contains(inside) else None

    def _index_at(self, position: QPointF) -> int | None:
        size, start = self.size(), self._range[0]
        if self._edge == "top":
            share = position.x() / max(1.0, size.width())
        else:
            share = position.y() / max(1.0, size.height())
        index = math.floor(start + share * (self._range[1] - start))
        return index if 0 <= share < 1 and 0 <= index < len(self._labels) else None

    def _drawn_in(self, pixels: float) -> QFont:
        """Return the font of the labels in rows or columns of this size."""
        if self._edge == "top":
            return self._measured.font_in_columns(pixels, self._layout)
        return self._measured.font_in_rows(pixels)

    def _emphasised(self, first: int, last: int) -> list[int]:
        """Return the selected and the highlighted labels in sight."""
        indices = sorted(self._lit)
        if self._chosen is not None:
            indices.insert(0, self._chosen)
        return [index for index in indices if first <= index <= last]

    def _stride(self, pixels: float, metrics: QFontMetricsF) -> tuple[int, float]:
        """Return the step between drawn labels, and their maximum length."""
        line = metrics.height()
        letters = self._measured.high * line
        if self._edge == "left":
            return round_stride(letters / pixels), self.size().width() - SPACE
        if self._layout.turn:
            room = self.size().height() - self._title.height(self.font()) - SPACE
            if self._layout.turn == 45:
                length = min(room / DIAGONAL - line, LONGEST_TURNED * line)
                return round_stride(SLANTED_FROM * line / pixels), length
            return round_stride(letters / pixels), room
        widest = self._measured.widest * line / self._measured.line
        apart = CLOSE if line < self._measured.line else SPACE
        least = min(widest, ELIDED_FROM * line - SPACE) + apart
        stride = round_stride(least / pixels)
        return stride, min(stride * pixels - apart, WIDEST * usual_line(self.font()))

    def _place(
        self, index: int, text: str, centre: float, metrics: QFontMetricsF
    ) -> PlacedLabel:
        long, line = math.ceil(metrics.horizontalAdvance(text)), metrics.height()
        size = self.size()
        if self._edge == "left":
            start = QPointF(size.width() - SPACE - long, centre)
        elif self._layout.turn == 0:
            start = QPointF(centre - long / 2, size.height() - SPACE - line / 2)
        elif self._layout.turn == 90:
            start = QPointF(centre, size.height() - SPACE)
        else:
            start = QPointF(centre, size.height() - SPACE - line / 2 * DIAGONAL)
        turn: Turn = self._layout.turn if self._edge == "top" else 0
        return PlacedLabel(index, text, start, QSizeF(long, line), turn)


def _bold(font: QFont) -> QFont:
    bold = QFont(font)
    bold.setWeight(QFont.Weight.Bold)
    return bold
