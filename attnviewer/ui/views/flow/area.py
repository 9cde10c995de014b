"""The layout of the strip's cards and arrows, and the bracket around the heads."""

from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter

from PySide6.QtCore import QEvent, QPoint, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from attnviewer.ui.paint.theme import Appearance
from attnviewer.ui.views.flow.card import FlowCard
from attnviewer.ui.views.flow.head_switch import HeadSwitch

Part = Sequence[QWidget]
"""A group that is not split between rows: an arrow and the cards it leads to."""

_MARGIN = 6
_ABOVE = 6
_BETWEEN_ROWS = 8
_TICK = 5
"""Length of the bracket's ends."""


class FlowArea(QWidget):
    """Lays groups out on one or two rows, below a bracket around steps with heads.

    Attributes
    ----------
    sizes_changed : Signal
        The size of a card has changed.
    """

    sizes_changed = Signal()

    def __init__(
        self, parts: Sequence[Part], switch: HeadSwitch, appearance: Appearance
    ) -> None:
        super().__init__()
        self.setObjectName("flow.area")
        self._parts = list(parts)
        self._switch = switch
        self._appearance = appearance
        self._rows: list[list[QWidget]] = []
        for widget in (*self._widgets(), switch):
            widget.setParent(self)
            widget.show()

    def width_of(self, rows: int) -> int:
        """Return the width that a number of rows needs."""
        return max(map(_width, self._divided(rows))) + 2 * _MARGIN

    def height_of(self, rows: int) -> int:
        """Return the height of a number of rows."""
        row = self._bracket_height() + self._card_height()
        return _ABOVE + rows * row + (rows - 1) * _BETWEEN_ROWS

    def fits(self) -> bool:
        """Return whether everything fits."""
        height = self._card_height()
        return all(
            (w.width(), w.height()) == (w.sizeHint().width(), height)
            for w in self._widgets()
        )

    def arrange(self, rows: int) -> None:
        """Arrange everything on a number of rows."""
        self._rows = self._divided(rows)
        height, top = self._card_height(), _ABOVE + self._bracket_height()
        for row in self._rows:
            left = _MARGIN
            for widget in row:
                width = widget.sizeHint().width()
                widget.setGeometry(left, top, width, height)
                left += width
            top += height + _BETWEEN_ROWS + self._bracket_height()
        self.setMinimumSize(self.width_of(rows), self.height_of(rows))
        self.update()

    def keep_switch_in_sight(self, left: int, right: int) -> None:
        """Keep the switch on the visible part of the bracket, as far as possible."""
        cards = next(filter(None, map(_with_heads, self._rows)), None)
        if cards is None:
            return
        size = self._switch.sizeHint()
        first = cards[0].geometry().left() + 2 * _TICK
        last = cards[-1].geometry().right() - 2 * _TICK - size.width()
        corner = QPoint(max(first, min(left, last)), _ABOVE)
        self._switch.setGeometry(
            corner.x(), corner.y(), size.width(), self._bracket_height()
        )
        self._switch.raise_()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest and not self.fits():
            self.sizes_changed.emit()
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(QPen(QColor(self._appearance.theme.muted), 1))
        for row in self._rows:
            cards = [widget for widget in row if isinstance(widget, FlowCard)]
            for has_heads, run in groupby(cards, attrgetter("has_heads")):
                if has_heads:
                    painter.drawPolyline(self._bracket(list(run)))
        painter.end()

    def _bracket(self, cards: Sequence[FlowCard]) -> list[QPoint]:
        first, last = cards[0].geometry(), cards[-1].geometry()
        left, right = first.left() + _TICK, last.right() - _TICK
        top = first.top() - self._bracket_height() // 2
        bottom = top + _TICK
        corners = (left, bottom), (left, top), (right, top), (right, bottom)
        return [QPoint(x, y) for x, y in corners]

    def _widgets(self) -> list[QWidget]:
        return [widget for part in self._parts for widget in part]

    def _bracket_height(self) -> int:
        return self._switch.sizeHint().height() if _with_heads(self._widgets()) else 0

    def _card_height(self) -> int:
        cards = (w for w in self._widgets() if isinstance(w, FlowCard))
        return max(card.sizeHint().height() for card in cards)

    def _divided(self, rows: int) -> list[list[QWidget]]:
        """Return the groups of each row; two rows are made as short as possible."""
        if rows == 1:
            return [self._widgets()]
        widths = [_width(part) for part in self._parts]

        def longer_row(index: int) -> int:
            return max(sum(widths[:index]), sum(widths[index:]))

        split = min(range(1, len(widths)), key=longer_row)
        first, second = self._parts[:split], self._parts[split:]
        return [[w for part in row for w in part] for row in (first, second)]


def _width(widgets: Part) -> int:
    return sum(widget.sizeHint().width() for widget in widgets)


def _with_heads(widgets: Part) -> list[FlowCard]:
    return [w for w in widgets if isinstance(w, FlowCard) and w.has_heads]
