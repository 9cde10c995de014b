"""Statistics of each row of weights or scores, shown beside the rows."""

import math
from itertools import accumulate

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QFontMetricsF, QPainter
from PySide6.QtWidgets import (
    QGraphicsItem,
    QGraphicsSceneHoverEvent,
    QGraphicsWidget,
    QStyleOptionGraphicsItem,
    QWidget,
)

from attnviewer.compute import Folding, Windowed
from attnviewer.ui.paint.step_content import StepContent
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.text.concepts import STATISTICS
from attnviewer.ui.text.folding import what_groups_count
from attnviewer.ui.text.numbers import full_number
from attnviewer.ui.views.step.heatmap.row_facts import (
    Fact,
    RowFacts,
    entropy_share,
    facts_of_scores,
    facts_of_weights,
    span_share,
)
from attnviewer.ui.views.step.heatmap.statistics_columns import (
    BAR,
    BARRED,
    BETWEEN,
    INDENT,
    SHORTEST_BAR,
    stretched,
    width_of,
)
from attnviewer.ui.widgets.tool_tips import plain_tip

BELOW_HEADINGS = 6.0
LEAST_ROW = 4.0
"""Lowest rows with a bar, in pixels."""
LOW_SHARE = 0.75
"""Share of a row without numbers that its bar takes."""


class RowStatistics(QGraphicsWidget):
    """Statistics of the rows in sight.

    Those of weights have entropy and effective keys, and sums other than 1; those of
    scores the span of their numbers and the mean.
    """

    def __init__(self) -> None:
        super().__init__()
        self._matrix: Windowed | None = None
        self._folding: Folding | None = None
        self._weights = self._scores = False
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
        barred = widths.get("entropy", widths.get("span", 0.0))
        return min(barred, offer)

    @property
    def of_scores(self) -> bool:
        """Whether the rows are scores."""
        return self._scores

    def offer(self, *, offered: bool) -> None:
        """Offer the statistics, or leave their place to something else."""
        self._offered = offered

    def extents(self, room: float) -> tuple[float, ...]:
        """Return the widths that the statistics may take in a room.

        The first has all columns that fit; the second those up to the entropy, which
        tells the effective keys as well, or to the span of scores; the third the same
        with the shortest bars. A width is 0 where nothing fits.
        """
        if not self._offered:
            return 0.0, 0.0, 0.0
        columns = self._columns()
        usual, shorter = (
            dict(zip(columns, accumulate(self._widths(bar)), strict=True))
            for bar in (BAR, SHORTEST_BAR)
        )
        offers = (
            list(usual.values()),
            [end for name, end in usual.items() if name in ("marked", *BARRED)],
            [end for name, end in shorter.items() if name in BARRED],
        )
        return tuple(
            max((w for w in ends if w <= room), default=0.0) for ends in offers
        )

    def show_content(self, content: StepContent) -> None:
        """Show the rows of a step: of weights, of scores, or of neither."""
        self._folding = content.folding
        weights, scores = content.is_weights, content.is_scores
        self.set_matrix(content.matrix, weights=weights, scores=scores)

    def set_matrix(
        self, matrix: Windowed, *, weights: bool, scores: bool = False
    ) -> None:
        """Show the rows of another matrix: of weights, of scores, or of neither."""
        before, self._facts = self._facts, {}
        alike = self._matrix is not None and matrix.shape == self._matrix.shape
        self._matrix = matrix
        kind, had = (weights, scores), (self._weights, self._scores)
        # The bars of scores depend on all rows.
        seen = self.isVisible() and bool(self._extents())
        if alike and kind == had and not scores and seen:
            rows = self._rows_in_sight()
            self._read(rows)
            self._update_rows([r for r in rows if self._facts[r] != before.get(r)])
        else:
            self._weights, self._scores = kind
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
        seen = slice(rows.start, rows.stop)
        values = self._matrix.window(seen)  # (rows, columns)
        if self._scores:
            facts = facts_of_scores(values, self._matrix.hidden(seen), self._marked)
        else:
            facts = facts_of_weights(values, self._marked)
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
        if exposed.top() < self._head_room - BELOW_HEADINGS:
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
        meaning = STATISTICS["row_sum" if name == "total" else name].tip
        if self._folding is None:
            return meaning
        return f"{meaning}\n{what_groups_count(self._folding)}"

    def _columns(self) -> dict[Fact, str]:
        """Return the statistics shown, with their headings."""
        columns: dict[Fact, str] = {}
        if self._marked:
            columns["marked"] = self.tr("marked")
        if self._weights:
            columns["entropy"] = self.tr("entropy (bits)")
            columns["effective_keys"] = self.tr("effective keys")
            columns["total"] = self.tr("row sum")
        elif self._scores:
            columns["span"] = self.tr("smallest … largest")
            columns["mean_score"] = self.tr("mean")
        return columns

    def _widths(self, bar: float = BAR) -> list[float]:
        """Return the widths of the columns, with bars of a length in digits."""
        font = self.font()
        return [
            width_of(name, text, font, bar) for name, text in self._columns().items()
        ]

    def _extents(self) -> dict[Fact, tuple[float, float]]:
        """Return the left edge and the width of each column that fits."""
        extents: dict[Fact, tuple[float, float]] = {}
        left = 0.0
        numbers, font = self._has_numbers(self._pixels()), self.font()
        for name, heading in self._columns().items():
            if not numbers and name not in BARRED:
                continue
            width, least = (
                width_of(name, heading, font, bar) for bar in (BAR, SHORTEST_BAR)
            )
            free = self.size().width() + 0.5 - left
            if least <= free:
                extents[name] = left, min(width, free)
            left += width
        # What is left makes the bar longer.
        free = self.size().width() - sum(width for _, width in extents.values())
        return stretched(extents, max(0.0, free))

    def _paint_headings(
        self, painter: QPainter, extents: dict[Fact, tuple[float, float]]
    ) -> None:
        # On the line of the column labels' last row.
        below = self._head_room - BELOW_HEADINGS
        baseline = below - QFontMetricsF(self.font()).descent()
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
        usual = width_of(name, self._columns()[name], self.font(), BAR)
        longest = BAR * metrics.horizontalAdvance("0") + width - usual
        if not numbers:
            longest = width - BETWEEN
            high = LOW_SHARE * pixels
        bars = self._bars([facts for facts, _ in rows]) if name in BARRED else []
        for number, (facts, top) in enumerate(rows):
            x = left
            if bars:
                start, stop = (longest * share for share in bars[number])
                y = top + (pixels - high) / 2
                painter.fillRect(QRectF(left + start, y, stop - start, high), self._bar)
                x += (stop if name == "entropy" else longest) + INDENT
            if numbers:
                text = facts.text(name)
                if name == "span":
                    long = metrics.horizontalAdvance(text)
                    x = max(x, left + width - 2 * BETWEEN - long)
                painter.drawText(QPointF(x, top + baseline), text)

    def _bars(self, rows: list[RowFacts]) -> list[tuple[float, float]]:
        """Return where the bars of rows begin and end, as shares of the longest."""
        assert self._matrix is not None
        if self._weights:
            largest = math.log2(self._matrix.shape[1])
            return [entropy_share(facts, largest) for facts in rows]
        seen = [self.facts(row) for row in self._rows_in_sight()]
        least = min((f.least for f in seen if not math.isnan(f.least)), default=0.0)
        most = max((f.most for f in seen if not math.isnan(f.most)), default=0.0)
        return [span_share(facts, least, most) for facts in rows]

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
        if self._matrix is None or not (self._weights or self._scores):
            return ""
        row = math.floor(
            self._range[0] + (position.y() - self._head_room) / self._pixels()
        )
        if not 0 <= row < self._matrix.shape[0]:
            return ""
        facts = self.facts(row)
        if self._scores:
            return self.tr("smallest {least}\nlargest {most}\nmean {mean}").format(
                least=full_number(facts.least),
                most=full_number(facts.most),
                mean=full_number(facts.mean),
            )
        if math.isnan(facts.effective_keys):
            return self.tr(
                "row sum {total}\nWith negative or undefined weights it is no "
                "distribution, and has no entropy."
            ).format(total=full_number(facts.total))
        if facts.effective_keys == 0:
            return self.tr("This query attends to no key: all its weights are 0.")
        return self.tr(
            "entropy {entropy} bits\nrow sum {total}\n"
            "spreads over {keys} keys (2 to the power of the entropy)"
        ).format(
            entropy=full_number(facts.entropy),
            total=full_number(facts.total),
            keys=full_number(facts.effective_keys),
        )
