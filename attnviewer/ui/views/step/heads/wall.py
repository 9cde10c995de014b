"""All cards, as a grid or as a wall of layers and heads."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFontInfo,
    QHideEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from attnviewer.compute import HeadLocation
from attnviewer.ui.paint.fonts import usual_line
from attnviewer.ui.paint.theme import LIGHT, Theme
from attnviewer.ui.state.selection import Position
from attnviewer.ui.views.step.heads.arrangement import (
    GAP,
    Layout,
    aspect_of,
    grid,
    largest_cells,
    wall,
)
from attnviewer.ui.views.step.heads.card import HeadCard
from attnviewer.ui.views.step.heads.card_content import Card
from attnviewer.ui.views.step.heads.card_head import foot_size, head_width
from attnviewer.ui.views.step.heads.card_layout import around_picture
from attnviewer.ui.views.step.heads.token_names import (
    SMALLEST_NAME,
    SMALLEST_SHARE,
    TokenNames,
    token_names,
)
from attnviewer.ui.widgets.fading_edge import FadingEdge
from attnviewer.ui.widgets.tab_order import chain_tabs
from attnviewer.ui.work.time_slices import SLICE_SECONDS, run_for

SMALLEST_PICTURE = 6
SMALLEST_TILE = 1.5
"""Widths, in lines of text, below which cards scroll rather than shrink."""


@dataclass(frozen=True, slots=True)
class Headings:
    """The names of a wall's rows and columns."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]

    @classmethod
    def of(cls, layers: Sequence[int], n_heads: int) -> "Headings":
        """Return those of a row for each layer and a column for each head."""
        rows = tuple(f"L{layer}" for layer in layers)
        return cls(rows, tuple(f"H{head}" for head in range(n_heads)))


class HeadWall(QScrollArea):
    """Shows cards side by side; arrow keys walk over them.

    Attributes
    ----------
    chosen, opened, marked, hovered, menu_wanted : Signal
        Those of `HeadCard`.
    painted : Signal
        All cards in sight have been painted as they are now.
    """

    chosen = Signal(object)
    opened = Signal(object)
    marked = Signal(object)
    hovered = Signal(object, object)
    menu_wanted = Signal(object, QPoint)
    painted = Signal()

    def __init__(self, after: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._after = after
        self.setObjectName("heads.wall")
        self.setAccessibleName(self.tr("Heads"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._canvas = _Canvas()
        self.setWidget(self._canvas)
        self._above = FadingEdge("heads.more.above", Qt.Edge.TopEdge, self)
        self._below = FadingEdge("heads.more.below", Qt.Edge.BottomEdge, self)
        self._cards: list[HeadCard] = []
        self._headings: Headings | None = None
        self._arranged: object = None
        self._layout = Layout(1, QSize(1, 1), 0, 0, 0)
        self._marks: tuple[Position | None, Position | None] = (None, None)
        self._unpainted: set[HeadCard] = set()
        self._wanting: list[HeadCard] = []
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self._draw_some)

    @property
    def cards(self) -> tuple[HeadCard, ...]:
        """The cards in their order."""
        return tuple(self._cards)

    @property
    def columns(self) -> int:
        """The number of cards side by side."""
        return self._layout.columns

    @property
    def headings(self) -> Headings | None:
        """The names of rows and columns; None where cards bear their own."""
        return self._headings

    def show_cards(
        self, cards: Sequence[Card], theme: Theme, headings: Headings | None = None
    ) -> None:
        """Show cards in an order.

        Parameters
        ----------
        cards : sequence of Card
            At least one, all of one shape.
        theme : Theme
            The theme in force.
        headings : Headings, optional
            What rows and columns are called, where the cards are a wall of as many
            rows and columns; the cards then have no titles of their own.
        """
        before = self._arranged
        self._headings = headings
        self._match(cards, theme)
        for widget, card in zip(self._cards, cards, strict=True):
            widget.show_card(card, theme)
            widget.set_titled(headings is None)
            widget.set_neighbours(len(cards))
            widget.set_marks(*self._marks)
        self._canvas.show_headings(headings, theme)
        locations = tuple(card.location for card in cards)
        content = cards[0].content
        names = content.row_labels, content.column_labels
        self._arranged = locations, names, headings
        if self._arranged != before:
            self._arrange()
        seen = [w for w in self._cards if not w.visibleRegion().isEmpty()]
        # `painted` tells of edits that no card shows as well.
        for widget in seen[:1]:
            widget.update(0, 0, 1, 1)
        self._unpainted = {w for w in seen if not w.is_drawn} | set(seen[:1])

    def forget(self) -> None:
        """Let go of the numbers; the cards stay where they are."""
        for widget in self._cards:
            widget.forget()

    def choose(self, location: HeadLocation | None) -> None:
        """Frame the chosen head's card and let the Tab key stop at it alone."""
        for widget in self._cards:
            widget.set_chosen(widget.card.location == location)
        stop = self.card_of(location) or self._cards[0]
        for widget in self._cards:
            policy = Qt.FocusPolicy.StrongFocus
            widget.setFocusPolicy(
                policy if widget is stop else Qt.FocusPolicy.ClickFocus
            )

    def mark(self, selected: Position | None, hovered: Position | None) -> None:
        """Mark the same cells in all cards."""
        self._marks = selected, hovered
        for widget in self._cards:
            widget.set_marks(selected, hovered)

    def card_of(self, location: HeadLocation | None) -> HeadCard | None:
        """Return the card of a head."""
        return next((w for w in self._cards if w.card.location == location), None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        here = next((k for k, w in enumerate(self._cards) if w.hasFocus()), None)
        last, across = len(self._cards) - 1, self._layout.columns
        if here is None:
            super().keyPressEvent(event)
            return
        goals: dict[int, int] = {
            Qt.Key.Key_Left: max(0, here - 1),
            Qt.Key.Key_Right: min(last, here + 1),
            Qt.Key.Key_Up: here - across if here >= across else here,
            Qt.Key.Key_Down: here + across if here + across <= last else here,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }
        goal = goals.get(event.key())
        if goal is None:
            super().keyPressEvent(event)
            return
        card = self._cards[goal]
        card.setFocus(Qt.FocusReason.TabFocusReason)
        self.ensureWidgetVisible(card, GAP, GAP)
        self.chosen.emit(card.card.location)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()
        self._above.fit()
        self._below.fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._arrange()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()
        self._wanting.clear()

    def _match(self, cards: Sequence[Card], theme: Theme) -> None:
        """Have a widget for each card, the same as before for the same head."""
        before = {widget.card.location: widget for widget in self._cards}
        self._cards = [
            before.pop(card.location)
            if card.location in before
            else self._make(card, theme)
            for card in cards
        ]
        for widget in before.values():
            if widget in self._wanting:
                self._wanting.remove(widget)
            widget.hide()
            widget.deleteLater()
        chain_tabs([self._after, *self._cards])

    def _make(self, card: Card, theme: Theme) -> HeadCard:
        widget = HeadCard(card, theme, self._canvas)
        widget.chosen.connect(self.chosen)
        widget.opened.connect(self.opened)
        widget.marked.connect(self.marked)
        widget.hovered.connect(self.hovered)
        widget.menu_wanted.connect(self.menu_wanted)
        widget.picture_wanted.connect(self._on_picture_wanted)
        widget.painted.connect(self._on_card_painted)
        widget.show()
        return widget

    def _arrange(self) -> None:
        if not self._cards:
            return
        # Whether the bar is there now must not matter, or it would come and go.
        room = self.maximumViewportSize()
        self._layout, names = self._layout_in(room)
        if self._layout.extent(len(self._cards)).height() > room.height():
            room.setWidth(room.width() - self.verticalScrollBar().sizeHint().width())
            self._layout, names = self._layout_in(room)
        for number, widget in enumerate(self._cards):
            widget.set_names(names)
            widget.setGeometry(self._layout.card_rect(number))
        self._canvas.set_layout(self._layout)
        extent = self._layout.extent(len(self._cards))
        self._canvas.resize(extent.expandedTo(room))

    def _layout_in(self, room: QSize) -> tuple[Layout, TokenNames | None]:
        if self._headings is None:
            usual = QFontInfo(self.font()).pixelSize()
            smallest = max(SMALLEST_NAME, round(SMALLEST_SHARE * usual))
            sizes = range(usual, smallest - 1, -1)

            def fit(pixels: int) -> bool:
                return self._named(pixels, room) is not None

            # Where larger names fit, smaller ones do, too.
            largest = bisect_left(sizes, True, key=fit)
            named = self._named(sizes[largest], room) if largest < len(sizes) else None
            return named or (self._grid_in(room, QSize(0, 0)), None)
        shape = len(self._headings.rows), len(self._headings.columns)
        aspect = aspect_of(self._cards[0].card.content.shape)
        headings = self._canvas.heading_size()
        foot = foot_size(self.fontMetrics())
        smallest = round(SMALLEST_TILE * usual_line(self.font()))
        return wall(shape, room, aspect, headings, foot, smallest), None

    def _named(self, pixels: int, room: QSize) -> tuple[Layout, TokenNames] | None:
        """Return the layout with names of a size; None if they do not fit its cells."""
        content = self._cards[0].card.content
        labels = content.row_labels, content.column_labels
        for upright in (False, True):
            names = token_names(labels, self.font(), pixels, upright=upright)
            layout = self._grid_in(room, names.room)
            around = around_picture(self.fontMetrics()) + names.room
            cells = largest_cells(content.shape, layout.card - around)
            cell = cells.cell_rect((0, 0)).size()
            if names.cell.boundedTo(cell) == names.cell:
                return layout, names
        return None

    def _grid_in(self, room: QSize, names: QSize) -> Layout:
        """Lay cards out side by side, with some room for names in each."""
        heads = [w.card for w in self._cards if w.card.location is not None]
        longest = max((head.title for head in heads), key=len, default="")
        titled = head_width(longest, self.font())
        smallest = max(SMALLEST_PICTURE * usual_line(self.font()), titled)
        aspect = aspect_of(self._cards[0].card.content.shape)
        around = around_picture(self.fontMetrics()) + names
        return grid(len(self._cards), room, aspect, around, smallest - names.width())

    @Slot(object)
    def _on_picture_wanted(self, widget: HeadCard) -> None:
        if widget not in self._wanting:
            self._wanting.append(widget)
            self._timer.start()

    @Slot()
    def _draw_some(self) -> None:
        """Draw up pictures that wait, for a part of a frame."""
        if self._wanting and run_for(SLICE_SECONDS, self._draw_first):
            self._timer.start()

    def _draw_first(self) -> bool:
        if self._wanting[0].draw():
            self._wanting.pop(0).update()
        return bool(self._wanting)

    @Slot(object)
    def _on_card_painted(self, widget: HeadCard) -> None:
        if widget in self._unpainted:
            self._unpainted.discard(widget)
            if not self._unpainted:
                self.painted.emit()


class _Canvas(QWidget):
    """The canvas that the cards lie on; writes the headings of a wall."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("heads.canvas")
        self._headings: Headings | None = None
        self._layout: Layout | None = None
        self._theme = LIGHT

    def show_headings(self, headings: Headings | None, theme: Theme) -> None:
        if (headings, theme) != (self._headings, self._theme):
            self._headings, self._theme = headings, theme
            self.update()

    def set_layout(self, layout: Layout) -> None:
        self._layout = layout
        self.update()

    def heading_size(self) -> QSize:
        """Return what the names of rows and columns need."""
        names = () if self._headings is None else self._headings.rows
        metrics = self.fontMetrics()
        widest = max(map(metrics.horizontalAdvance, names), default=0)
        return QSize(widest + GAP // 2, metrics.height() + GAP // 2)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._headings is None or self._layout is None:
            return
        painter = QPainter(self)
        painter.setPen(QColor(self._theme.muted))
        layout, size = self._layout, self.heading_size()
        for row, name in enumerate(self._headings.rows):
            tile = layout.card_rect(row * layout.columns)
            rect = QRect(GAP, tile.top(), size.width(), tile.height())
            painter.drawText(rect, _LEFT, name)
        for column, name in enumerate(self._headings.columns):
            tile = layout.card_rect(column)
            rect = QRect(tile.left(), GAP, tile.width(), size.height() - GAP // 2)
            painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, name)
        painter.end()


_LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
