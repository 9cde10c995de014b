"""One head as a card: its name, a number about it and its picture."""

from dataclasses import replace

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from attnviewer.ui.paint.miniature.card import MiniatureCard
from attnviewer.ui.paint.miniature.grid import Grid
from attnviewer.ui.paint.miniature.miniature import paint_miniature
from attnviewer.ui.paint.paper import density_of, for_paper
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.paint.tint import tint_color
from attnviewer.ui.state.folded_lines import FoldedLines
from attnviewer.ui.state.selection import Position
from attnviewer.ui.text.folding import what_groups_count
from attnviewer.ui.text.numbers import full_number
from attnviewer.ui.text.pins import pinned_words
from attnviewer.ui.views.step.heads.card_content import Card
from attnviewer.ui.views.step.heads.card_head import (
    CardHead,
    box_rect,
    paint_foot,
    paint_head,
)
from attnviewer.ui.views.step.heads.card_layout import CardLayout, lay_out
from attnviewer.ui.views.step.heads.picture import Drawing, paint_mark
from attnviewer.ui.views.step.heads.statistics import Caption
from attnviewer.ui.views.step.heads.token_names import TokenNames
from attnviewer.ui.widgets.tool_tips import plain_tip

AT_ONCE = 2**16
"""Cells of a picture that is drawn up while it is painted; larger ones wait."""
MOST_AT_ONCE = 2**20
"""Cells of all pictures together; those of a wall with more wait as well."""


class HeadCard(MiniatureCard):
    """Shows one head, or several combined.

    Attributes
    ----------
    chosen, opened, marked : Signal
        The person chose the card, wants to see it large, or wants it among those
        that are combined or no longer: its place.
    hovered : Signal
        The pointer is over another cell: its position, or None, and the card's place.
    menu_wanted : Signal
        What can be done with the head is asked for: its place, and that on the screen.
    picture_wanted : Signal
        There is a matrix to be drawn up that waits its turn, by calls of `draw`.
    painted : Signal
        The card has been painted as it is now.
    """

    chosen = Signal(object)
    opened = Signal(object)
    marked = Signal(object)
    hovered = Signal(object, object)
    menu_wanted = Signal(object, QPoint)
    picture_wanted = Signal(object)
    painted = Signal(object)

    def __init__(self, card: Card, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._card, self._theme = card, theme
        self._titled = True
        self._names: TokenNames | None = None
        self._patient = False
        self._caption = Caption()
        self._in_combination: bool | None = None
        self._tint = 0.0
        self._selected: Position | None = None
        self._hovered: Position | None = None
        self._drawing = Drawing()
        self._layout: CardLayout | None = None
        self._describe()

    @property
    def card(self) -> Card:
        """The shown content."""
        return self._card

    @property
    def caption(self) -> Caption:
        """The number about the head."""
        return self._caption

    @property
    def is_drawn(self) -> bool:
        """Whether its picture is as the numbers are now."""
        return self._drawing.done

    @property
    def _shape(self) -> tuple[int, int]:
        return self._card.content.shape

    def show_card(self, card: Card, theme: Theme) -> None:
        """Show something else."""
        if card is self._card and theme is self._theme:
            return
        alike = card.picture_key == self._card.picture_key and theme is self._theme
        other_shape = card.content.shape != self._shape
        self._card, self._theme = card, theme
        if not alike or other_shape:
            self._forget_picture(at_once=other_shape)
            self._describe()

    def forget(self) -> None:
        """Let go of the numbers; the picture stays in sight until there are others."""
        emptied = self._card.content.emptied()
        self._card = replace(self._card, content=emptied, numbers=object())
        self._forget_picture(at_once=False)

    def set_titled(self, titled: bool) -> None:
        """Show title and caption above the picture, or the picture alone."""
        if titled != self._titled:
            self._titled = titled
            self._forget_picture(at_once=True)

    def set_names(self, names: TokenNames | None) -> None:
        """Say how tokens are named beside the picture; None for no names."""
        if names != self._names:
            self._names = names
            self._forget_picture(at_once=True)

    @property
    def names(self) -> TokenNames | None:
        """The names of tokens."""
        return self._names

    def set_neighbours(self, count: int) -> None:
        """Say how many cards there are: many pictures must not be drawn up at once."""
        self._patient = count * self._card.content.cells > MOST_AT_ONCE

    def set_caption(self, caption: Caption) -> None:
        """Write another number about the head."""
        if caption != self._caption:
            self._caption = caption
            self._describe()
            self.update()

    def set_chosen(self, chosen: bool) -> None:
        """Frame the card as the head that all views show."""
        if chosen != self.isChecked():
            # Exclusive cards are announced as radio buttons, but the last one that is
            # checked would stay so.
            self.setAutoExclusive(False)
            self.setChecked(chosen)
            self.setAutoExclusive(True)
            self._describe()

    def set_in_combination(self, included: bool | None) -> None:
        """Show a check box, checked or not; None for no box."""
        if included != self._in_combination:
            self._in_combination = included
            self._describe()
            self.update()

    @property
    def tint(self) -> float:
        """By how much the picture is tinted, from 0 to 1."""
        return self._tint

    def set_tint(self, share: float) -> None:
        """Tint the picture by a share from 0 to 1."""
        if share != self._tint:
            self._tint = share
            self.update()

    def set_marks(self, selected: Position | None, hovered: Position | None) -> None:
        """Mark the selected cell of the step and the one under the pointer."""
        lines = FoldedLines(self._card.content.folding)
        selected, hovered = lines.shown(selected), lines.shown(hovered)
        if (selected, hovered) != (self._selected, self._hovered):
            self._selected, self._hovered = selected, hovered
            self.update()

    @property
    def _parts(self) -> CardLayout:
        """Where its parts are."""
        if self._layout is None:
            names = QSize(0, 0) if self._names is None else self._names.room
            self._layout = lay_out(
                *(self.rect(), self._shape, self.fontMetrics(), names),
                titled=self._titled,
            )
        return self._layout

    @property
    def grid(self) -> Grid:
        """The grid of the cells in the picture."""
        return self._parts.grid

    @property
    def corner(self) -> QPoint:
        """Upper left corner of the picture."""
        return self._parts.corner

    def texts(self) -> tuple[str, ...]:
        """Return the numbers in the cells; () if there is no room for them."""
        picture = self._drawing.picture
        return () if picture is None else picture.texts

    def draw(self) -> bool:
        """Go on with the picture of a large matrix; return whether it is done."""
        return self._drawing.go_on(
            *(self._card.content, self._theme, self.grid),
            *(self._parts.number_font(self.font()), density_of(self)),
        )

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self._forget_picture(at_once=True)
        elif event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), plain_tip(self._tip()), self)
            return True
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._forget_picture(at_once=True)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._forget_picture(at_once=True)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        if event.button() != Qt.MouseButton.LeftButton:
            return
        control = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        on_box = self.box_rect().contains(event.position().toPoint())
        if control or (on_box and self._in_combination is not None):
            self.marked.emit(self._card.location)
        else:
            self.chosen.emit(self._card.location)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        super().mouseDoubleClickEvent(event)
        plain = event.modifiers() == Qt.KeyboardModifier.NoModifier
        if event.button() == Qt.MouseButton.LeftButton and plain:
            self.opened.emit(self._card.location)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu_wanted.emit(self._card.location, event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        shift = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.opened.emit(self._card.location)
        elif event.key() == Qt.Key.Key_Menu or (
            event.key() == Qt.Key.Key_F10 and shift
        ):
            middle = self.mapToGlobal(self.rect().center())
            self.menu_wanted.emit(self._card.location, middle)
        elif event.key() == Qt.Key.Key_Space:
            self.marked.emit(self._card.location)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        if for_paper() and self._drawing.density < density_of(self):
            self._forget_picture(at_once=False)
        if not self._drawing.done:
            waits = self._patient or self._card.content.cells > AT_ONCE
            if for_paper() or not waits:
                self._draw_now()
            else:
                self.picture_wanted.emit(self)
        parts = self._parts
        painter = QPainter(self)
        painter.setLayoutDirection(self.layoutDirection())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_card(painter)
        if self._titled:
            card = self._card
            head = CardHead(
                card.title,
                card.note,
                self._caption,
                self._in_combination,
                struck=card.ablated,
            )
            paint_head(painter, parts.line, head, self._theme)
        else:
            paint_foot(painter, parts.foot, self._caption, self._theme)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        picture = self._drawing.picture
        if picture is not None:
            font = parts.number_font(self.font())
            paint_miniature(painter, parts.corner, picture, self._theme, font)
            painter.fillRect(parts.picture, tint_color(self._theme, self._tint))
        else:
            painter.setPen(QColor(self._theme.muted))
            painter.drawText(parts.room, Qt.AlignmentFlag.AlignCenter, "…")
        if self._names is not None:
            labels = self._card.content.row_labels, self._card.content.column_labels
            self._names.paint(
                *(painter, parts.corner, parts.grid),
                *(labels, self._selected, self._theme),
            )
        self._paint_marks(painter)
        painter.end()
        if self._drawing.done:
            self.painted.emit(self)

    def _draw_now(self) -> None:
        while not self.draw():
            pass

    def _forget_picture(self, *, at_once: bool) -> None:
        """Draw the picture anew; the old one stays in sight until then if it can."""
        self._layout = None
        self._drawing.begin_anew(at_once=at_once)
        self.update()

    def box_rect(self) -> QRect:
        """Return where the check box is."""
        return box_rect(self._parts.line)

    def _paint_card(self, painter: QPainter) -> None:
        rect, radius = QRectF(self.rect()), 5 if self._titled else 2
        self._paint_frame(painter, self._theme, rect, radius)
        if self._shows_focus:
            painter.setPen(QPen(QColor(self._theme.text), 1, Qt.PenStyle.DotLine))
            inset = self._frame_width / 2 + 2
            rect.adjust(inset, inset, -inset, -inset)
            painter.drawRoundedRect(rect, radius, radius)

    def _paint_marks(self, painter: QPainter) -> None:
        grid = self.grid
        for cell, strong in ((self._hovered, False), (self._selected, True)):
            if cell is not None and grid.has(cell):
                rect = grid.cell_rect(cell).translated(self.corner)
                paint_mark(painter, rect, self._theme, strong=strong)

    def _emit_pointed_at(self, cell: Position | None) -> None:
        lines = FoldedLines(self._card.content.folding)
        # What several make together is the number of no cell of the step.
        combined = cell is not None and lines.combines(cell)
        here = None if combined else lines.of_step(cell)
        self.hovered.emit(here, self._card.location)

    def _tip(self) -> str:
        lines = [self._card.title, self._card.note, *self._caption.lines]
        folding = self._card.content.folding
        if folding is not None:
            lines.append(what_groups_count(folding))
        if self._pointed is not None and self.grid.has(self._pointed):
            content, (row, column) = self._card.content, self._pointed
            value = full_number(content.value(row, column))
            labels = f"{content.row_labels[row]}, {content.column_labels[column]}"
            computed = content.computed_value(row, column)
            if computed is not None:
                value += f", {pinned_words(computed)}"
            lines.append(f"[{labels}] = {value}")
        return "\n".join(line for line in lines if line)

    def _describe(self) -> None:
        parts = [self._card.title, self._card.note, self._caption.long]
        if self.isChecked():
            parts.append(self.tr("chosen"))
        if self._in_combination:
            parts.append(self.tr("combined"))
        self.setAccessibleName(", ".join(part for part in parts if part))
