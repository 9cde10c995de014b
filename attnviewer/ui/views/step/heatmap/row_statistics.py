"""Statistics of each row of attention weights, shown beside the rows."""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QFontMetricsF, QPainter
from PySide6.QtWidgets import (
    QGraphicsItem,
    QGraphicsSceneHoverEvent,
    QGraphicsWidget,
    QStyleOptionGraphicsItem,
    QWidget,
)

from attnviewer.compute import Windowed, row_statistics
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.text.concepts import STATISTICS
from attnviewer.ui.text.numbers import full_number, number_or_dash
from attnviewer.ui.widgets.tool_tips import plain_tip

BAR = 8.0
"""Length of the bar of the largest entropy, in widths of a digit."""
NUMBER = 7.0
"""Width of a number, in digits."""
INDENT = 5.0
BETWEEN = 12.0
LEAST_ROW = 4.0
"""Lowest rows with a bar, in pixels."""
LOW_SHARE = 0.75
"""Share of a row without numbers that its bar takes."""
Fact = Literal["marked", "entropy", "total", "effective_keys"]
SUM_TOLERANCE = 1e-5
"""Tolerance for the rounding error of a sum of 1, also in single precision."""


@dataclass(frozen=True, slots=True)
class RowFacts:
    """The statistics of one row."""

    entropy: float
    total: float
    effective_keys: float
    marked: float = 0.0
    """Sum of the marked columns."""

    @property
    def adds_up(self) -> bool:
        """Whether the row is a probability distribution over the keys."""
        return abs(self.total - 1) <= SUM_TOLERANCE


class RowStatistics(QGraphicsWidget):
    """Entropy and effective keys of the rows in sight, and sums other than 1."""

    def __init__(self) -> None:
        super().__init__()
        self._matrix: Windowed | None = None
        self._weights = False
        self._offered = True
        self._marked: list[int] = []
        self._facts: dict[int, RowFacts] = {}
        self._range = (0.0, 1.0)
        self._head_room = 0.0
        self._text = self._muted = self._bar = QColor()
        self.setAcceptHoverEvents(True)
        # So that the paint event has the exposed rows.
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)

    def width_beside(self, row: float, offer: float) -> float:
        """Return which width of an offer the statistics of rows of a height take.

        Low rows have the bar of their entropy alone, and still lower ones nothing.
        """
        if row < LEAST_ROW:
            return 0.0
        if self._has_numbers(row):
            return offer
        widths = dict(zip(self._columns(), self._widths(), strict=True))
        return min(widths.get("entropy", 0.0), offer)

    def offer(self, *, offered: bool) -> None:
        """Offer the statistics, or leave their place to something else."""
        self._offered = offered

    def extents(self, room: float) -> tuple[float, float]:
        """Return the width of the columns that fit.

        And that up to the entropy, which tells the effective keys as well.
        """
        if not self._offered:
            return 0.0, 0.0
        ends = np.cumsum(self._widths()).tolist()
        there = [end for end in ends if end <= room]
        named = zip(self._columns(), there, strict=False)
        spared = [end for name, end in named if name in ("marked", "entropy")]
        return max(there, default=0.0), max(spared, default=0.0)

    def set_matrix(self, matrix: Windowed, *, weights: bool) -> None:
        """Show the rows of another matrix; only those of weights have statistics."""
        before, self._facts = self._facts, {}
        alike = self._matrix is not None and matrix.shape == self._matrix.shape
        self._matrix = matrix
        if alike and weights == self._weights and self._extents():
            rows = self._rows_in_sight()
            self._read(rows)
            self._update_rows([r for r in rows if self._facts[r] != before.get(r)])
        else:
            self._weights = weights
            self.update()

    def forget(self) -> None:
        """Release the matrix."""
        self._matrix, self._facts = None, {}

    def set_marked(self, columns: frozenset[int]) -> None:
        """Sum the marked columns of each row, if there are any."""
        if sorted(columns) != self._marked:
            self._marked = sorted(columns)
            self._facts = {}
            self.update()

    def set_theme(self, theme: Theme) -> None:
        """Apply the colours of a theme."""
        self._text, self._muted = QColor(theme.text), QColor(theme.muted)
        self._bar = QColor(theme.bar)
        self.update()

    def set_head_room(self, height: float) -> None:
        """Reserve space for the headings, which are beside the column labels."""
        if height != self._head_room:
            self._head_room = height
            self.update()

    def set_range(self, start: float, stop: float) -> None:
        """Show the rows of a range, in cells."""
        if (start, stop) != self._range:
            self._range = start, stop
            self.update()

    def facts(self, row: int) -> RowFacts:
        """Return the statistics of a row."""
        if row not in self._facts:
            self._read(range(row, row + 1))
        return self._facts[row]

    def _read(self, rows: range) -> None:
        """Compute the statistics of some rows at once."""
        assert self._matrix is not None
        values = self._matrix.window(slice(rows.start, rows.stop))  # (rows, columns)
        statistics = row_statistics(values)  # of (rows,)
        with np.errstate(all="ignore"):
            marked = values[:, self._marked].sum(axis=1, dtype=np.float64)  # (rows,)
        facts = map(
            RowFacts,
            statistics.entropy.tolist(),
            statistics.row_sum.tolist(),
            statistics.effective_keys.tolist(),
            marked.tolist(),
        )
        self._facts.update(zip(rows, facts, strict=True))

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionGraphicsItem,
        widget: QWidget | None = None,
    ) -> None:
        extents = self._extents()
        if self._matrix is None or not extents:
            return
        painter.setFont(self.font())
        exposed = option.exposedRect
        if exposed.top() < self._head_room:
            self._paint_headings(painter, extents)
        painter.setClipRect(self.rect().adjusted(0, self._head_room, 0, 0))
        rows = self._rows_in_sight()
        unread = [row for row in rows if row not in self._facts]
        if unread:
            self._read(range(unread[0], unread[-1] + 1))
        pixels, highest, lowest = self._pixels(), exposed.top(), exposed.bottom()
        tops = [self._head_room + (row - self._range[0]) * pixels for row in rows]
        seen = [
            (self._facts[row], top)
            for row, top in zip(rows, tops, strict=True)
            if top <= lowest and top + pixels >= highest
        ]
        painter.setPen(self._text)
        for name, (left, width) in extents.items():
            self._paint_column(painter, name, left, width, seen)

    def hoverMoveEvent(self, event: QGraphicsSceneHoverEvent) -> None:
        point = event.pos()
        above = point.y() < self._head_room
        tip = self._meaning(point.x()) if above else self._tip(point)
        self.setToolTip(plain_tip(tip))

    def _meaning(self, x: float) -> str:
        """Return the explanation of the column at a position, or ""."""
        columns = self._extents().items()
        at = (name for name, (left, width) in columns if left <= x < left + width)
        name = next(at, None)
        if name is None:
            return ""
        return STATISTICS["row_sum" if name == "total" else name].tip

    def _columns(self) -> dict[Fact, str]:
        """Return the statistics shown, with their headings."""
        columns: dict[Fact, str] = {}
        if self._marked:
            columns["marked"] = self.tr("marked")
        if self._weights:
            columns["entropy"] = self.tr("entropy (bits)")
            columns["effective_keys"] = self.tr("effective keys")
            columns["total"] = self.tr("row sum")
        return columns

    def _widths(self) -> list[float]:
        metrics = QFontMetricsF(self.font())
        digit = metrics.horizontalAdvance("0")
        widths = []
        for name, heading in self._columns().items():
            bar = BAR * digit + INDENT if name == "entropy" else 0.0
            number = NUMBER * digit if not bar else 4 * digit
            widths.append(
                max(metrics.horizontalAdvance(heading), bar + number) + BETWEEN
            )
        return widths

    def _extents(self) -> dict[Fact, tuple[float, float]]:
        """Return the left edge and the width of each column that fits."""
        extents: dict[Fact, tuple[float, float]] = {}
        left = 0.0
        numbers = self._has_numbers(self._pixels())
        for name, width in zip(self._columns(), self._widths(), strict=True):
            if not numbers and name != "entropy":
                continue
            if left + width <= self.size().width() + 0.5:
                extents[name] = left, width
            left += width
        return extents

    def _paint_headings(
        self, painter: QPainter, extents: dict[Fact, tuple[float, float]]
    ) -> None:
        # On the line of the column labels' last row.
        baseline = self._head_room - 6 - QFontMetricsF(self.font()).descent()
        painter.setPen(self._muted)
        headings = self._columns()
        for name, (left, _) in extents.items():
            if name == "total" and all(
                self.facts(row).adds_up for row in self._rows_in_sight()
            ):
                continue
            painter.drawText(QPointF(left, baseline), headings[name])

    def _paint_column(
        self,
        painter: QPainter,
        name: Fact,
        left: float,
        width: float,
        rows: list[tuple[RowFacts, float]],
    ) -> None:
        """Paint one statistic of some rows, given with their tops."""
        metrics, pixels = QFontMetricsF(self.font()), self._pixels()
        baseline = (pixels - metrics.height()) / 2 + metrics.ascent()
        numbers = self._has_numbers(pixels)
        high = min(1.3 * metrics.height(), 0.6 * pixels)
        longest = BAR * metrics.horizontalAdvance("0")
        if not numbers:
            longest = width - BETWEEN
            high = LOW_SHARE * pixels
        assert self._matrix is not None
        most = math.log2(self._matrix.shape[1])
        for facts, top in rows:
            x = left
            if name == "entropy":
                long = longest * _bar_share(facts, most)
                bar = QRectF(left, top + (pixels - high) / 2, long, high)
                painter.fillRect(bar, self._bar)
                x += long + INDENT
            if numbers:
                painter.drawText(QPointF(x, top + baseline), _text(name, facts))

    def _has_numbers(self, row: float) -> bool:
        return row >= QFontMetricsF(self.font()).height()

    def _rows_in_sight(self) -> range:
        assert self._matrix is not None
        start, stop = self._range
        return range(math.floor(start), min(math.ceil(stop), self._matrix.shape[0]))

    def _update_rows(self, rows: list[int]) -> None:
        if rows:
            top, bottom = self._top(rows[0]), self._top(rows[-1] + 1)
            self.update(QRectF(0, top, self.size().width(), bottom - top))

    def _top(self, row: int) -> float:
        return self._head_room + (row - self._range[0]) * self._pixels()

    def _pixels(self) -> float:
        start, stop = self._range
        return (self.size().height() - self._head_room) / max(stop - start, 1e-9)

    def _tip(self, position: QPointF) -> str:
        if self._matrix is None or not self._weights:
            return ""
        row = math.floor(
            self._range[0] + (position.y() - self._head_room) / self._pixels()
        )
        if not 0 <= row < self._matrix.shape[0]:
            return ""
        facts = self.facts(row)
        if facts.total == 0:
            return self.tr("This query sees no key: none has any weight.")
        return self.tr(
            "entropy {entropy} bits\nrow sum {total}\n"
            "spreads over {keys} keys (2 to the power of the entropy)"
        ).format(
            entropy=full_number(facts.entropy),
            total=full_number(facts.total),
            keys=full_number(facts.effective_keys),
        )


def _bar_share(facts: RowFacts, most: float) -> float:
    """Return the length of a row's bar, relative to the largest entropy."""
    share = facts.entropy / most if most > 0 else 0.0
    return share if 0 < share <= 1.001 else 0.0


def _text(name: Fact, facts: RowFacts) -> str:
    """Format one statistic of a row."""
    if name == "total":
        return "" if facts.adds_up else number_or_dash(facts.total, 3)
    if name == "marked":
        return number_or_dash(facts.marked, 3)
    value = facts.entropy if name == "entropy" else facts.effective_keys
    return number_or_dash(value, 2)
