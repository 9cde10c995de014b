"""The groups of tokens along an edge of the heatmap, as brackets over their labels."""

import math
from collections.abc import Iterator

from PySide6.QtCore import (
    QLineF,
    QObject,
    QPointF,
    QRectF,
    QSizeF,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import (
    QGraphicsScene,
    QGraphicsSceneHoverEvent,
    QGraphicsSceneMouseEvent,
    QGraphicsWidget,
    QStyleOptionGraphicsItem,
    QWidget,
)

from attnviewer.document.token_groups import TokenGroup
from attnviewer.ui.paint.step_content import StepContent
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.state.folds import Bracket
from attnviewer.ui.text.tokens import how_many_tokens, token_line
from attnviewer.ui.views.step.heatmap.axis_title import Edge
from attnviewer.ui.widgets.tool_tips import plain_tip

LINES = 1.35
"""Thickness, in line heights."""
TICK = 3.0
"""Length of a bracket's ends, in pixels."""
APART = 1.5
"""Between a bracket and the ends of its lines, in pixels."""
MARK = 0.5
"""Side of the mark of a folded group, in line heights."""


class GroupAxis(QGraphicsWidget):
    """Brackets over the rows or columns of groups, with their names.

    Parameters
    ----------
    edge : str
        ``left`` for the rows, ``top`` for the columns.

    Attributes
    ----------
    toggled : Signal
        A group was clicked: `TokenGroup`.
    """

    toggled = Signal(object)

    def __init__(self, edge: Edge) -> None:
        super().__init__()
        self._edge = edge
        self._brackets: tuple[Bracket, ...] = ()
        self._foldable = False
        self._range = (0.0, 1.0)
        self._text = self._muted = self._accent = QColor()
        self.setAcceptHoverEvents(True)

    def set_brackets(
        self, brackets: tuple[Bracket, ...], font: QFont, *, foldable: bool
    ) -> None:
        """Show other groups, which a click may fold."""
        if (brackets, font) == (self._brackets, self.font()):
            self._foldable = foldable
            return
        self._brackets, self._foldable = brackets, foldable
        self.setFont(font)
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Apply the colours of a theme."""
        self._text, self._muted = QColor(theme.text), QColor(theme.muted)
        self._accent = QColor(theme.accent)
        self.update()

    def set_range(self, start: float, stop: float) -> None:
        """Show the rows or columns of a range, in cells."""
        if (start, stop) != self._range:
            self._range = start, stop
            self.update()

    def extent(self) -> float:
        """Return the thickness that the brackets need; 0 without any."""
        if not self._brackets:
            return 0.0
        return math.ceil(LINES * QFontMetricsF(self.font()).height())

    def placed(self) -> Iterator[tuple[Bracket, QRectF]]:
        """Yield the visible groups, each with its place along the edge and across.

        The rectangles are as for columns: along the edge is to the right.
        """
        start, stop = self._range
        pixels = self._along() / max(stop - start, 1e-9)
        for bracket in self._brackets:
            first = max(0.0, (bracket.first - start) * pixels)
            last = min(self._along(), (bracket.last + 1 - start) * pixels)
            if last - first > 2 * APART:
                yield bracket, QRectF(first, 0, last - first, self._across())

    def named(self) -> Iterator[tuple[Bracket, QRectF, str, QRectF]]:
        """Yield the visible groups as they are read, with names and their rectangles.

        A long name takes the free room beside its bracket. Names of rows are turned to
        the left, and read upwards.
        """
        metrics = QFontMetricsF(self.font())
        space, line = metrics.horizontalAdvance(" "), metrics.height()
        groups = list(self.placed())
        if self._edge == "left":
            groups.reverse()
            for _, place in groups:
                place.moveLeft(self._along() - place.right())
        ends = [place.left() - space for _, place in groups[1:]]
        ends.append(self._along())
        free = 0.0
        for (bracket, place), end in zip(groups, ends, strict=False):
            name = "" if bracket.folded else token_line(bracket.group.name)
            name = metrics.elidedText(name, Qt.TextElideMode.ElideRight, end - free)
            name = "" if name == "…" else name
            wide = min(metrics.horizontalAdvance(name), end - free)
            left = min(max(place.center().x() - wide / 2, free), end - wide)
            top = place.bottom() - APART - TICK - 1 - line
            yield bracket, place, name, QRectF(left, top, wide, line)
            free = max(place.right(), left + wide) + space

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionGraphicsItem,
        widget: QWidget | None = None,
    ) -> None:
        painter.setFont(self.font())
        if self._edge == "left":
            painter.translate(0, self._along())
            painter.rotate(-90)
        for bracket, place, name, room in self.named():
            low = place.bottom() - APART
            if bracket.folded:
                self._paint_mark(painter, self.mark_in(place))
                continue
            left, right = place.left() + APART, place.right() - APART
            high = low - TICK
            painter.setPen(QPen(self._muted, 1))
            painter.drawPolyline(
                [
                    QPointF(left, low),
                    QPointF(left, high),
                    QPointF(right, high),
                    QPointF(right, low),
                ]
            )
            painter.setPen(self._text)
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextSingleLine
            painter.drawText(room, flags, name)

    def mark_in(self, place: QRectF) -> QRectF:
        """Return where the mark of a folded group is painted in its place."""
        side = min(MARK * QFontMetricsF(self.font()).height(), place.width() - 1)
        left = place.center().x() - side / 2
        return QRectF(left, place.bottom() - APART - side, side, side)

    def _paint_mark(self, painter: QPainter, mark: QRectF) -> None:
        """Paint the plus of a folded group."""
        middle, reach = mark.center(), mark.width() / 2 - 1.5
        painter.setPen(QPen(self._accent, max(1.5, mark.width() / 8)))
        painter.drawRect(mark)
        across, down = QPointF(reach, 0), QPointF(0, reach)
        painter.drawLine(QLineF(middle - across, middle + across))
        painter.drawLine(QLineF(middle - down, middle + down))

    def hoverMoveEvent(self, event: QGraphicsSceneHoverEvent) -> None:
        bracket = self._bracket_at(event.pos())
        if bracket is None:
            self.setToolTip("")
            return
        group = bracket.group
        count = how_many_tokens(group.stop - group.start)
        tip = f"{token_line(group.name)}, {count}"
        if self._foldable and bracket.folded:
            tip = self.tr("{group}. Click to open.").format(group=tip)
        elif self._foldable:
            tip = self.tr("{group}. Click to fold.").format(group=tip)
        self.setToolTip(plain_tip(tip))

    def mousePressEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        bracket = self._bracket_at(event.pos())
        left = event.button() == Qt.MouseButton.LeftButton
        if bracket is None or not left or not self._foldable:
            event.ignore()
            return
        event.accept()
        self.toggled.emit(bracket.group)

    def _bracket_at(self, position: QPointF) -> Bracket | None:
        along = position.y() if self._edge == "left" else position.x()
        for bracket, place in self.placed():
            if place.left() <= along <= place.right():
                return bracket
        return None

    def _along(self) -> float:
        size = self.size()
        return size.height() if self._edge == "left" else size.width()

    def _across(self) -> float:
        size = self.size()
        return size.width() if self._edge == "left" else size.height()


class GroupAxes(QObject):
    """The groups of the rows and of the columns of a heatmap.

    Attributes
    ----------
    rows, columns : GroupAxis
        Their brackets.
    toggled : Signal
        A group was clicked: ``queries`` or ``keys``, and the `TokenGroup`.
    """

    toggled = Signal(str, object)

    def __init__(self, scene: QGraphicsScene, parent: QObject) -> None:
        super().__init__(parent)
        self.rows, self.columns = GroupAxis("left"), GroupAxis("top")
        for axis in (self.rows, self.columns):
            scene.addItem(axis)
        self.rows.toggled.connect(self._on_row_toggled)
        self.columns.toggled.connect(self._on_column_toggled)

    @property
    def extents(self) -> tuple[float, float]:
        """The room they need, beside the rows and above the columns."""
        return self.rows.extent(), self.columns.extent()

    def set_theme(self, theme: Theme) -> None:
        """Apply the colours of a theme."""
        self.rows.set_theme(theme)
        self.columns.set_theme(theme)

    def show_content(self, content: StepContent, font: QFont) -> None:
        """Show the groups of a step."""
        sides = zip((self.rows, self.columns), content.brackets, strict=True)
        for axis, brackets in sides:
            foldable = content.step == "weights"
            axis.set_brackets(brackets, font, foldable=foldable)

    def place(self, left: QRectF, top: QRectF) -> tuple[QRectF, QRectF]:
        """Take the room beside the rows and above the columns; return what is left."""
        thick, high = self.extents
        self.rows.setGeometry(QRectF(left.topLeft(), QSizeF(thick, left.height())))
        self.columns.setGeometry(QRectF(top.topLeft(), QSizeF(top.width(), high)))
        return left.adjusted(thick, 0, 0, 0), top.adjusted(0, high, 0, 0)

    def set_sight(self, sight: QRectF) -> None:
        """Show the rows and columns in sight, in cells."""
        self.rows.set_range(sight.top(), sight.bottom())
        self.columns.set_range(sight.left(), sight.right())

    @Slot(object)
    def _on_row_toggled(self, group: TokenGroup) -> None:
        self.toggled.emit("queries", group)

    @Slot(object)
    def _on_column_toggled(self, group: TokenGroup) -> None:
        self.toggled.emit("keys", group)
