"""The tokens on both sides, the numbers beside them, and the lines between two."""

import math
from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np
from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QFontMetricsF,
    QPainter,
    QPainterPath,
    QPen,
)

from attnviewer.compute import Array
from attnviewer.ui.state.selection import Marked
from attnviewer.ui.text.numbers import format_number, significant_number
from attnviewer.ui.text.step_titles import axis_name
from attnviewer.ui.views.step.lines.arrangement import Arrangement, Side
from attnviewer.ui.views.step.lines.content import LinesContent
from attnviewer.ui.views.step.lines.focus import Focus, Token

SIDES: tuple[Side, Side] = "queries", "keys"
DECIMALS = 2
LONGEST_TEXTS = 64
"""Labels with the most letters, of which one is taken to be the widest."""
END = 3.5
"""Radius of the ends of a line that is selected or pointed at."""
LEAST_ROW = 0.9
"""Where rows are lower than this share of a text, not all have numbers."""
_CENTRE = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute
LEFT = Qt.AlignmentFlag.AlignLeft | _CENTRE
RIGHT = Qt.AlignmentFlag.AlignRight | _CENTRE


class TokenPainter:
    """Paints what stands around the lines, below the headings.

    Parameters
    ----------
    painter : QPainter
        Paints; its origin is the upper left of the tokens.
    content : LinesContent
        What is shown.
    focus : Focus
        What stands out.
    arrangement : Arrangement
        Where everything is.
    font : QFont
        Of all texts.
    """

    def __init__(
        self,
        painter: QPainter,
        content: LinesContent,
        focus: Focus,
        arrangement: Arrangement,
        font: QFont,
    ) -> None:
        self._painter = painter
        self._content = content
        self._focus = focus
        self._arrangement = arrangement
        self._metrics = QFontMetricsF(font)
        painter.setFont(font)

    def paint_cells(self) -> None:
        """Paint the lines that are selected or pointed at.

        Those that the threshold leaves out are dotted.
        """
        painter, arrangement = self._painter, self._arrangement
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        sight = QRectF(0, 0, painter.device().width(), arrangement.height)
        painter.setClipRect(sight)
        ink = QColor(self._content.theme.accent)
        third = (arrangement.right - arrangement.left) / 3
        stacks = self._content.reading.stacks(self._content.threshold)
        for query, key in self._focus.cells:
            asides: tuple[Array, Array] = np.zeros(1), np.zeros(1)
            if stacks is not None:
                asides = stacks.of(np.array([query]), np.array([key]))
            starts = arrangement.ends("queries", query + 0.5 + asides[0])  # (1,)
            ends = arrangement.ends("keys", key + 0.5 + asides[1])  # (1,)
            start = QPointF(arrangement.left, starts.item())
            end = QPointF(arrangement.right, ends.item())
            path = QPainterPath(start)
            path.cubicTo(start + QPointF(third, 0), end - QPointF(third, 0), end)
            weights = self._content.reading.of("queries", query)[:, key]  # (heads,)
            drawn = np.abs(weights).max(initial=0.0) >= self._content.threshold
            style = Qt.PenStyle.SolidLine if drawn else Qt.PenStyle.DotLine
            painter.setPen(QPen(ink, 2 if drawn else 1, style))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPath(path)
            painter.setBrush(ink)
            painter.drawEllipse(start, END, END)
            painter.drawEllipse(end, END, END)
        painter.restore()

    def paint_tokens(self, frame: Token | None, marked: Marked) -> None:
        """Paint the tokens, a ground behind marked ones and a frame around one."""
        for side in self._arrangement.sides:
            chosen = marked.rows if side == "queries" else marked.columns
            # Where rows are lower than a text, what stands out goes first.
            in_sight = self._readable(side)
            stride = self._stride
            first = [t for t in in_sight if self._focus.has(side, t)]
            if frame is not None and frame[0] == side and frame[1] in in_sight:
                first.insert(0, frame[1])
            first.extend(token for at, token in self._beside if at == side)
            every = in_sight[-in_sight.start % stride :: stride]
            for token in _apart([*first, *every], stride):
                self._paint_token(side, token, marked=token in chosen)
        named = frame is not None and frame[0] in self._arrangement.sides
        if frame is not None and named and frame[1] in self._readable(frame[0]):
            self._painter.setPen(QPen(QColor(self._content.theme.accent), 1.5))
            self._painter.drawRoundedRect(self._rect(*frame), 4, 4)

    def paint_numbers(self) -> None:
        """Write the weights of what stands out beside the other side's tokens."""
        self._painter.setPen(QColor(self._content.theme.accent))
        for (side, token), text in self._beside.items():
            start, stop = self._arrangement.numbers[SIDES.index(side)]
            start = min(start, stop - self._metrics.horizontalAdvance(text))
            line = self._line(start, stop, self._arrangement.middle(side, token))
            outside = side == "queries" and self._arrangement.is_shared
            self._painter.drawText(line, LEFT if outside else RIGHT, text)

    @cached_property
    def _beside(self) -> dict[Token, str]:
        """The weights beside tokens, as texts; the largest where not all have room."""
        beside: dict[Token, str] = {}
        low = self._arrangement.row < self._metrics.height() * LEAST_ROW
        for side, tokens in zip(reversed(SIDES), self._focus.with_weights, strict=True):
            if not tokens or side not in self._arrangement.sides:
                continue
            numbers = self._numbers(tokens, _other(side))
            ends = {cell[SIDES.index(side)] for cell in self._focus.cells}
            sizes = np.abs(numbers)  # (others,)
            shown = [
                token
                for token in self._readable(side)
                if token in ends or not sizes[token] < self._content.threshold
            ]
            if low:
                shown.sort(key=lambda token: (token not in ends, -sizes[token]))
                shown = _apart(shown, self._stride)
            for token in shown:
                beside[side, token] = _written(float(numbers[token]))
        return beside

    @property
    def _stride(self) -> int:
        """How many rows apart texts do not touch."""
        return max(1, math.ceil(self._metrics.height() / self._arrangement.row))

    def paint_headings(self, height: float) -> None:
        """Write above the tokens what they are, and what the numbers are."""
        theme, arrangement = self._content.theme, self._arrangement
        width = self._painter.device().width()
        self._painter.setPen(QColor(theme.muted))
        queries, keys = map(axis_name, SIDES)
        # A name may be wider than all tokens.
        if "queries" in arrangement.sides:
            self._painter.drawText(
                self._line(0, arrangement.queries[1], -height / 2), RIGHT, queries
            )
        self._painter.drawText(
            self._line(arrangement.keys[0], width, -height / 2), LEFT, keys
        )
        gap = self._metrics.height() / 2
        rooms = (
            (
                0.0,
                arrangement.queries[1] - self._metrics.horizontalAdvance(queries) - gap,
            ),
            (
                arrangement.keys[0] + self._metrics.horizontalAdvance(keys) + gap,
                width - 4.0,
            ),
        )
        for side, (start, stop), tokens in zip(
            reversed(SIDES), reversed(rooms), self._focus.with_weights, strict=True
        ):
            if tokens and side in arrangement.sides:
                text = self._numbers_heading(len(tokens), stop - start)
                # Above the numbers, where it is no wider than they are.
                long = self._metrics.horizontalAdvance(text) + 1
                end = arrangement.numbers[1 if start else 0][1]
                end = min(max(end, start + long), stop)
                self._painter.drawText(self._line(start, end, -height / 2), RIGHT, text)

    def _numbers_heading(self, count: int, room: float) -> str:
        """Return what the numbers are, in fewer words where there is little room."""
        heads = len(self._content.reading.heads)
        if count == 1 and heads == 1:
            texts = [QCoreApplication.translate("Lines", "weight")]
        elif count == 1:
            texts = [
                QCoreApplication.translate("Lines", "mean of {heads} heads"),
                QCoreApplication.translate("Lines", "mean"),
            ]
        elif heads == 1:
            texts = [
                QCoreApplication.translate("Lines", "sum of {tokens}"),
                QCoreApplication.translate("Lines", "sum"),
            ]
        else:
            texts = [
                QCoreApplication.translate(
                    "Lines", "sum of {tokens}, mean of {heads} heads"
                ),
                QCoreApplication.translate("Lines", "sum of means"),
            ]
        written = [text.format(heads=heads, tokens=count) for text in texts]
        fitting = (t for t in written if self._metrics.horizontalAdvance(t) <= room)
        right = Qt.TextElideMode.ElideRight
        return self._metrics.elidedText(next(fitting, written[-1]), right, room)

    def _paint_token(self, side: Side, token: int, *, marked: bool) -> None:
        theme, rect = self._content.theme, self._rect(side, token)
        if marked:
            self._painter.setPen(Qt.PenStyle.NoPen)
            self._painter.setBrush(QColor(theme.selected))
            self._painter.drawRoundedRect(rect, 4, 4)
            self._painter.setBrush(Qt.BrushStyle.NoBrush)
        self._painter.setPen(QColor(self._ink(side, token, marked=marked)))
        labels = self._content.labels[0 if side == "queries" else 1]
        start, stop = (
            self._arrangement.queries if side == "queries" else self._arrangement.keys
        )
        room = stop - start + 1
        if number := self._beside.get((side, token)):
            # The number takes from the text the room that its own place lacks.
            own = self._arrangement.numbers[SIDES.index(side)]
            both = max(stop, own[1]) - min(start, own[0]) + 1
            room = min(room, both - self._metrics.horizontalAdvance(number + " "))
        text = self._metrics.elidedText(
            labels[token], Qt.TextElideMode.ElideRight, room
        )
        align = RIGHT if side == "queries" else LEFT
        line = self._line(start, stop + 1, rect.center().y())
        self._painter.drawText(line, align, text)

    def _ink(self, side: Side, token: int, *, marked: bool) -> str:
        theme, reading = self._content.theme, self._content.reading
        if marked:
            return theme.text
        if self._focus.has(side, token):
            return theme.accent
        if side == "queries" and reading.undefined(token):
            return theme.error
        if side == "queries" and reading.blind(token):
            return theme.muted
        return theme.text

    def _rect(self, side: Side, token: int) -> QRectF:
        start, stop = (
            self._arrangement.queries if side == "queries" else self._arrangement.keys
        )
        height = max(self._arrangement.row, self._metrics.height()) - 1
        middle = self._arrangement.middle(side, token)
        return QRectF(start - 4, middle - height / 2, stop - start + 8, height)

    def _readable(self, side: Side) -> range:
        """Return the tokens in sight, but for those of which less than half is."""
        arrangement, tokens = self._arrangement, self._arrangement.in_sight(side)
        if tokens and arrangement.middle(side, tokens[0]) < 0:
            tokens = tokens[1:]
        if tokens and arrangement.middle(side, tokens[-1]) > arrangement.height:
            tokens = tokens[:-1]
        return tokens

    def _line(self, start: float, stop: float, middle: float) -> QRectF:
        height = self._metrics.height()
        return QRectF(start, middle - height / 2, stop - start, height)

    def _numbers(self, tokens: tuple[int, ...], side: Side) -> Array:
        """Return the sum over tokens of a side of the mean over heads, (others,)."""
        parts = [self._content.reading.of(side, token) for token in tokens]
        total: Array = np.sum(parts, axis=0)  # (heads, others)
        numbers: Array = total.sum(axis=0) / max(1, len(total))
        return numbers


def widest(labels: Sequence[str], metrics: QFontMetrics) -> float:
    """Return the room that labels need; thousands are not measured one by one."""
    longest = sorted(labels, key=len)[-LONGEST_TEXTS:]
    return max(map(metrics.horizontalAdvance, longest), default=0) + 2.0


def _apart(tokens: Iterable[int], stride: int) -> list[int]:
    """Return those that are not near an earlier one, in the order given."""
    taken: dict[int, None] = {}
    for token in tokens:
        if taken.keys().isdisjoint(range(token - stride + 1, token + stride)):
            taken[token] = None
    return list(taken)


def _written(number: float) -> str:
    """Write a weight in few letters; only a true zero looks like zero."""
    text = format_number(number, DECIMALS)
    if "e" in text and abs(number) < 1:
        return significant_number(number, 1)
    return text


def _other(side: Side) -> Side:
    return "keys" if side == "queries" else "queries"
