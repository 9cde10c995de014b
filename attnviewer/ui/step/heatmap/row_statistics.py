"""What each row of attention weights says about its query, beside the rows."""

import math
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter
from PySide6.QtWidgets import (
    QGraphicsSceneHoverEvent,
    QGraphicsWidget,
    QStyleOptionGraphicsItem,
    QWidget,
)

from attnviewer.compute import Windowed, row_statistics
from attnviewer.ui.numbers import format_number, full_number
from attnviewer.ui.theme import Theme

LOWEST_ROW = 14.0
"""Rows lower than this, in pixels, have no statistics."""
BAR = 64.0
COLUMN_WIDTHS = (118.0, 84.0, 96.0)
"""Of the entropy, the row sum and the effective number of keys."""
SUM_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class RowFacts:
    """The statistics of one row."""

    entropy: float
    total: float
    effective_keys: float

    @property
    def adds_up(self) -> bool:
        """Whether the row is a distribution over the keys, as it should be."""
        return abs(self.total - 1) <= SUM_TOLERANCE


_FLAGS = (
    Qt.AlignmentFlag.AlignVCenter
    | Qt.AlignmentFlag.AlignLeft
    | Qt.AlignmentFlag.AlignAbsolute
)


class RowStatistics(QGraphicsWidget):
    """Entropy, row sum and effective number of keys of the rows in sight."""

    def __init__(self) -> None:
        super().__init__()
        self._weights: Windowed | None = None
        self._facts: dict[int, RowFacts] = {}
        self._range = (0.0, 1.0)
        self._head_room = 0.0
        self._text = self._muted = self._bar = QColor()
        self.setAcceptHoverEvents(True)

    def extent(self, room: float) -> float:
        """Return the width of as many columns as there is room for."""
        widths = np.cumsum(COLUMN_WIDTHS)
        return float(max(widths[widths <= room], default=0.0))

    def set_weights(self, weights: Windowed | None) -> None:
        """Show other weights, shape (n_q, n_k); None for a step without statistics."""
        self._weights = weights
        self._facts = {}
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._text, self._muted = QColor(theme.text), QColor(theme.muted)
        self._bar = QColor(theme.accent)
        self._bar.setAlphaF(0.28)
        self.update()

    def set_head_room(self, height: float) -> None:
        """Leave room for the headings, which lie beside the labels of the columns."""
        self._head_room = height
        self.update()

    def set_range(self, start: float, stop: float) -> None:
        """Show the rows of a range, in cells."""
        self._range = start, stop
        self.update()

    def facts(self, row: int) -> RowFacts:
        """Return the statistics of a row."""
        if row not in self._facts:
            assert self._weights is not None
            statistics = row_statistics(
                self._weights.window(slice(row, row + 1))
            )  # of (1,)
            self._facts[row] = RowFacts(
                statistics.entropy.item(),
                statistics.row_sum.item(),
                statistics.effective_keys.item(),
            )
        return self._facts[row]

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionGraphicsItem,
        widget: QWidget | None = None,
    ) -> None:
        if self._weights is None or self.size().width() < COLUMN_WIDTHS[0]:
            return
        painter.setFont(self.font())
        self._paint_headings(painter)
        start, stop = self._range
        pixels = self._pixels()
        painter.setClipRect(self.rect().adjusted(0, self._head_room, 0, 0))
        rows = range(math.floor(start), min(math.ceil(stop), self._weights.shape[0]))
        for row in rows:
            top = self._head_room + (row - start) * pixels
            self._paint_row(painter, self.facts(row), QRectF(0, top, 0, pixels))

    def hoverMoveEvent(self, event: QGraphicsSceneHoverEvent) -> None:
        self.setToolTip(self._tip(event.pos()))

    def _paint_headings(self, painter: QPainter) -> None:
        headings = (
            self.tr("entropy (bits)"),
            self.tr("row sum"),
            self.tr("effective keys"),
        )
        # On the line of the column labels' last row.
        baseline = self._head_room - 6 - QFontMetricsF(self.font()).descent()
        painter.setPen(self._muted)
        for left, heading in zip(self._lefts(), headings, strict=False):
            painter.drawText(QPointF(left, baseline), heading)

    def _paint_row(self, painter: QPainter, facts: RowFacts, row: QRectF) -> None:
        assert self._weights is not None
        most = math.log2(self._weights.shape[1])
        share = facts.entropy / most if most > 0 else 0.0
        width = BAR * share if 0 < share <= 1.001 else 0.0
        height = min(18.0, row.height() * 0.6)
        bar = QRectF(0, row.center().y() - height / 2, width, height)
        painter.fillRect(bar, self._bar)
        mark = " ✓" if facts.adds_up else ""
        texts = (
            _number(facts.entropy, 2),
            _number(facts.total, 3) + mark,
            _number(facts.effective_keys, 2),
        )
        painter.setPen(self._text)
        for column, (left, text) in enumerate(zip(self._lefts(), texts, strict=False)):
            indent = width + 5 if column == 0 else 0
            place = QRectF(left + indent, row.top(), BAR, row.height())
            painter.drawText(place, _FLAGS, text)

    def _lefts(self) -> list[float]:
        lefts = np.cumsum((0.0, *COLUMN_WIDTHS))[:-1]
        ends = np.cumsum(COLUMN_WIDTHS)
        return [float(x) for x in lefts[ends <= self.size().width() + 0.5]]

    def _pixels(self) -> float:
        start, stop = self._range
        return (self.size().height() - self._head_room) / max(stop - start, 1e-9)

    def _tip(self, position: QPointF) -> str:
        if self._weights is None or position.y() < self._head_room:
            return ""
        row = math.floor(
            self._range[0] + (position.y() - self._head_room) / self._pixels()
        )
        if not 0 <= row < self._weights.shape[0]:
            return ""
        facts = self.facts(row)
        return self.tr(
            "entropy {entropy} bits\nrow sum {total}\n"
            "spreads over {keys} keys (2 to the power of the entropy)"
        ).format(
            entropy=full_number(facts.entropy),
            total=full_number(facts.total),
            keys=full_number(facts.effective_keys),
        )


def _number(value: float, decimals: int) -> str:
    return "—" if math.isnan(value) else format_number(value, decimals)
