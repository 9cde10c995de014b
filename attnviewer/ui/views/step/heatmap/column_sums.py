"""The attention that each key receives, as bars below the columns."""

import math

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter
from PySide6.QtWidgets import (
    QGraphicsItem,
    QGraphicsSceneHoverEvent,
    QGraphicsWidget,
    QStyleOptionGraphicsItem,
    QWidget,
)

from attnviewer.compute import Array
from attnviewer.ui.paint.paper import for_paper
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.text.concepts import STATISTICS
from attnviewer.ui.text.marked_rows import marked_sentence
from attnviewer.ui.text.matrix_numbers import cell_number
from attnviewer.ui.text.numbers import full_number

GAP = 4.0
"""Space between the cells and the bars, in pixels."""
BESIDE = 6.0
"""Between the heading and the first bar, in pixels."""
BAR_LINES = 0.9
"""Height of the longest bar, in lines of text."""
APART_FROM = 4
"""Narrowest column, in pixels, with a gap between its bar and the next one."""


class ColumnSums(QGraphicsWidget):
    """A bar hanging below each column, with its number where that fits."""

    def __init__(self) -> None:
        super().__init__()
        self._sums: Array | None = None
        self._marked_rows = 0
        self._range = (0.0, 1.0)
        self._text = self._muted = self._bar = QColor()
        self.setAcceptHoverEvents(True)
        # So that the paint event has the exposed columns.
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)

    def set_sums(self, sums: Array | None, marked_rows: int = 0) -> None:
        """Show other sums, shape (columns,); None while they are not known.

        Parameters
        ----------
        sums : ndarray, or None
            The sums.
        marked_rows : int
            How many rows hold NaN or ±∞, and do not count in them.
        """
        self._sums, self._marked_rows = sums, marked_rows
        # The heading stays, and so does what is above the gap.
        self.update(self.rect().adjusted(0, GAP, 0, 0))

    def set_theme(self, theme: Theme) -> None:
        """Apply the colours of a theme."""
        self._text, self._muted = QColor(theme.text), QColor(theme.muted)
        self._bar = QColor(theme.bar)
        self.update()

    def set_range(self, start: float, stop: float) -> None:
        """Show the columns of a range, in cells."""
        if (start, stop) != self._range:
            self._range = start, stop
            self.update()

    def extent(self) -> float:
        """Return the height that bars and numbers need."""
        return math.ceil(GAP + (BAR_LINES + 1.1) * QFontMetricsF(self.font()).height())

    def boundingRect(self) -> QRectF:
        # The heading stands to the left of the first column.
        return super().boundingRect().adjusted(-200, 0, 0, 0)

    def texts(self) -> list[str]:
        """Return the numbers written below the visible columns."""
        return [text for _, text in self._numbers()]

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionGraphicsItem,
        widget: QWidget | None = None,
    ) -> None:
        painter.setFont(self.font())
        if option.exposedRect.left() < -BESIDE:
            self._paint_heading(painter)
        if self._sums is None:
            return
        painter.setClipRect(super().boundingRect())
        self._paint_bars(painter, self._sums)
        painter.setPen(self._text)
        for rect, text in self._numbers():
            painter.drawText(rect, text)

    def hoverMoveEvent(self, event: QGraphicsSceneHoverEvent) -> None:
        column = math.floor(self._range[0] + event.pos().x() / self._pixels())
        if self._sums is None or not 0 <= column < len(self._sums):
            self.setToolTip(STATISTICS["received"].tip if column < 0 else "")
            return
        tip = self.tr("The weights of this key add up to {total} over all queries.")
        told = tip.format(total=full_number(float(self._sums[column])))
        self.setToolTip(f"{told}\n{marked_sentence(self._marked_rows)}".strip())

    def _paint_heading(self, painter: QPainter) -> None:
        metrics = QFontMetricsF(self.font())
        painter.setPen(self._muted)
        # In two lines, as labels of rows may be short.
        for line, word in enumerate(self.tr("attention\nreceived").splitlines()):
            start = -metrics.horizontalAdvance(word) - BESIDE
            below = GAP + metrics.ascent() + line * metrics.height()
            painter.drawText(QPointF(start, below), word)

    def _paint_bars(self, painter: QPainter, sums: Array) -> None:
        """Paint all bars as one picture, which is many times faster than one by one."""
        ratio = painter.device().devicePixelRatio()
        long = BAR_LINES * QFontMetricsF(self.font()).height()
        width, height = round(ratio * self.size().width()), round(ratio * long)
        sums = np.nan_to_num(sums, posinf=0.0, neginf=0.0)  # (columns,)
        most = float(sums.max())
        if most <= 0 or width < 1:
            return
        if for_paper() and self._pixels() >= 1:
            self._paint_shapes(painter, sums / most * long)
            return
        edges = np.floor(np.linspace(*self._range, width + 1))  # in cells
        columns = np.clip(edges, 0, len(sums)).astype(np.intp)  # (width + 1,)
        # Columns that share a pixel have the bar of the largest; none follows the last.
        sums = np.append(sums, 0.0)
        shares = np.maximum.reduceat(sums, columns)[:width] / most  # (width,)
        if ratio * self._pixels() >= APART_FROM:
            seams = columns[1:-1] != columns[:-2]  # (width - 1,)
            shares[:-1][seams] = shares[1:][seams] = 0
        bars = np.arange(height)[:, np.newaxis] < np.rint(shares * height)
        colors = np.where(bars, self._bar.rgba(), 0).astype(np.uint32)
        image = QImage(colors.data, width, height, QImage.Format.Format_ARGB32)
        painter.drawImage(QRectF(0, GAP, self.size().width(), long), image)

    def _paint_shapes(self, painter: QPainter, lengths: Array) -> None:
        apart = 1.0 if self._pixels() >= APART_FROM else 0.0
        for column in self._columns():
            wide, long = self._pixels() - apart, float(lengths[column])
            left = (column - self._range[0]) * self._pixels()
            bar = QRectF(left, GAP, wide, long)
            painter.fillRect(bar, self._bar)

    def _numbers(self) -> list[tuple[QPointF, str]]:
        """Return the numbers that fit, with the starts of their baselines."""
        if self._sums is None:
            return []
        metrics, pixels = QFontMetricsF(self.font()), self._pixels()
        if pixels < metrics.horizontalAdvance("0.0"):
            return []
        columns = self._columns()
        sums = self._sums[columns.start : columns.stop].tolist()
        for decimals in (3, 2, 1):
            texts = [cell_number(total, decimals) for total in sums]
            widths = list(map(metrics.horizontalAdvance, texts))
            if max(widths, default=0.0) + 6 <= pixels:
                break
        else:
            return []
        baseline = self.size().height() - metrics.descent()
        start = self._range[0]
        rects = (
            QPointF((column - start) * pixels + (pixels - width) / 2, baseline)
            for column, width in zip(columns, widths, strict=True)
        )
        return list(zip(rects, texts, strict=True))

    def _columns(self) -> range:
        assert self._sums is not None
        start, stop = self._range
        return range(max(0, math.floor(start)), min(math.ceil(stop), len(self._sums)))

    def _pixels(self) -> float:
        start, stop = self._range
        return max(self.size().width(), 1.0) / max(stop - start, 1e-9)
