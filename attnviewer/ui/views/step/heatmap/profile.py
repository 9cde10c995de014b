"""The numbers of one row or column as a curve along the edge of the cells."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter
from PySide6.QtWidgets import (
    QGraphicsSceneHoverEvent,
    QGraphicsWidget,
    QStyleOptionGraphicsItem,
    QWidget,
)

from attnviewer.compute import Array, BoolArray
from attnviewer.ui.paint.color_scale import ColorScale
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.text.numbers import full_number
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.widgets.tool_tips import plain_tip

_tr = translate_in("Profile")

BESIDE = 6.0
"""Space between the curve and its name, in pixels."""


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """A row or a column.

    Parameters
    ----------
    label : str
        Its label.
    values : ndarray, shape (n,), or None
        Its numbers, NaN where a mask hides them; None while they are not known.
    hidden : ndarray of bool, shape (n,), or None
        Where a mask hides them; None where there is none.
    name_of : callable
        Takes the place of a cell, and returns what the cell is called.
    scale : ColorScale
        The colours of the step; a logarithmic scale is that of the curve, too.
    signed : bool
        Whether numbers can be negative.
    """

    label: str
    values: Array | None
    hidden: BoolArray | None
    name_of: Callable[[int], str]
    scale: ColorScale
    signed: bool

    def number(self, cell: int) -> str:
        """Return the number of a cell in full; "masked" for one that a mask hides."""
        assert self.values is not None
        if self.hidden is not None and self.hidden[cell]:
            return _tr("masked")
        return full_number(float(self.values[cell]))

    def shares(self, values: Array) -> Array:
        """Return some of its numbers as shares of the height, −1 to 1."""
        assert self.values is not None
        if self.scale.scaling == "log":
            shares = self.scale.shares(values).clip(min=0)  # (n,)
        else:
            finite = np.abs(self.values[np.isfinite(self.values)])
            most = float(finite.max(initial=0.0))
            shares = values / most if most else np.zeros_like(values)
        clipped: Array = np.clip(np.nan_to_num(shares, nan=0.0), -1.0, 1.0)
        return clipped


class Profile(QGraphicsWidget):
    """Draws a row below the cells, or a column to the right of them.

    Cells that share a pixel have the length of the number furthest from zero.
    """

    def __init__(self, edge: Literal["right", "bottom"]) -> None:
        super().__init__()
        self._edge = edge
        self._line: Line | None = None
        self._range = (0.0, 1.0)
        self._bar = self._muted = QColor()
        self.setAcceptHoverEvents(True)

    @property
    def line(self) -> Line | None:
        """The drawn profile."""
        return self._line

    def set_line(self, line: Line | None) -> None:
        """Draw another row or column, or none."""
        self._line = line
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Apply the colours of a theme."""
        self._bar, self._muted = QColor(theme.bar), QColor(theme.muted)
        self.update()

    def set_range(self, start: float, stop: float) -> None:
        """Show the cells of a range."""
        if (start, stop) != self._range:
            self._range = start, stop
            self.update()

    def lengths(self, count: int) -> Array:
        """Return the curve at so many pixels, as shares of the height, (count,)."""
        assert self._line is not None
        assert self._line.values is not None
        values = np.nan_to_num(self._line.values, nan=0.0)  # (n,)
        edges = np.floor(np.linspace(*self._range, count + 1) + 1e-9)  # (count + 1,)
        cells = np.clip(edges, 0, len(values)).astype(np.intp)
        padded = np.append(values, 0.0)
        highs = np.maximum.reduceat(padded, cells)[:count]  # (count,)
        lows = np.minimum.reduceat(padded, cells)[:count]  # (count,)
        return self._line.shares(np.where(-lows > highs, lows, highs))

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionGraphicsItem,
        widget: QWidget | None = None,
    ) -> None:
        line = self._line
        if line is None:
            return
        painter.setFont(self.font())
        if line.values is None:
            self._paint_note(painter)
            return
        across = self._edge == "bottom"
        size, ratio = self.size(), painter.device().devicePixelRatio()
        along, high = size.width(), size.height()
        if not across:
            along, high = high, along
        count, deep = max(1, round(along * ratio)), max(2, round(high * ratio))
        lengths = self.lengths(count)  # (count,)
        zero = deep / 2 if line.signed else 0.0
        room = deep - 1 - zero
        # Away from the cells, negative numbers towards them.
        tips = np.rint(zero + lengths * room)  # (count,)
        places = np.arange(deep)[:, np.newaxis]  # (deep, 1)
        first, last = np.minimum(tips, zero), np.maximum(tips, zero)
        bars = (places >= first) & (places <= last) & (lengths != 0)  # (deep, count)
        colors = np.where(bars, self._bar.rgba(), 0).astype(np.uint32)
        colors = np.ascontiguousarray(colors if across else colors.T)
        height, width = colors.shape
        image = QImage(colors.data, width, height, QImage.Format.Format_ARGB32)
        painter.drawImage(self.rect(), image)
        painter.setPen(self._muted)
        base = zero / ratio
        end = QPointF(along, base) if across else QPointF(base, along)
        painter.drawLine(QPointF(0, base) if across else QPointF(base, 0), end)
        if across:
            self._paint_heading(painter)

    def _paint_heading(self, painter: QPainter) -> None:
        """Write which row it is beside the curve, below the labels of the rows."""
        metrics, text = QFontMetricsF(self.font()), self.heading()
        start = -metrics.horizontalAdvance(text) - BESIDE
        painter.drawText(QPointF(start, metrics.ascent()), text)

    def heading(self) -> str:
        """Return the name of the row as far as it fits; its end is the number."""
        assert self._line is not None
        return QFontMetricsF(self.font()).elidedText(
            self._line.label, Qt.TextElideMode.ElideMiddle, self._heading_room()
        )

    def _heading_room(self) -> float:
        """Return the width from the left edge of the heatmap."""
        return max(self.pos().x() - 2 * BESIDE, 0.0)

    def _paint_note(self, painter: QPainter) -> None:
        """Say why there is no curve yet."""
        painter.setPen(self._muted)
        metrics = QFontMetricsF(self.font())
        text = self.tr("The column follows when all rows have been read.")
        if self._edge == "right":
            painter.rotate(90)
            painter.translate(0, -self.size().width())
        room = max(self.size().height(), self.size().width())
        text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
        painter.drawText(QPointF(0, metrics.ascent()), text)

    def boundingRect(self) -> QRectF:
        beside = self._heading_room() + BESIDE if self._edge == "bottom" else 0.0
        return super().boundingRect().adjusted(-beside, 0, 0, 0)

    def hoverMoveEvent(self, event: QGraphicsSceneHoverEvent) -> None:
        self.setToolTip(plain_tip(self._words(event.pos())))

    def _words(self, position: QPointF) -> str:
        """Return the cell at a position, and the largest number of all."""
        line = self._line
        if line is None or line.values is None:
            return ""
        along = (position.x(), self.size().width())
        if self._edge == "right":
            along = position.y(), self.size().height()
        start, stop = self._range
        cell = math.floor(start + along[0] / max(along[1], 1.0) * (stop - start))
        words = [line.label]
        furthest = int(np.argmax(np.abs(np.nan_to_num(line.values, nan=0.0))))
        largest = self.tr("largest: {number} at {cell}")
        for text, place in (("{cell}: {number}", cell), (largest, furthest)):
            if 0 <= place < len(line.values):
                words.append(
                    text.format(cell=line.name_of(place), number=line.number(place))
                )
        return "\n".join(words)
