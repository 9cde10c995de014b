"""A sunken box of formulas with links."""

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import TypeVar

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QAccessibleInterface,
    QColor,
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QApplication, QLabel

from attnviewer.compute import Cell
from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.paint.math import (
    Faces,
    LaidOut,
    Line,
    Link,
    faces_of,
    lay_out_line,
    spoken,
    whole,
)
from attnviewer.ui.widgets.accessible import (
    DescribedLinks,
    announce_description,
    announce_focused,
)
from attnviewer.ui.widgets.formula_selection import (
    FormulaSelection,
    Placed,
    placed_atoms,
)
from attnviewer.ui.widgets.labels import Box, sunken

_GAP = 0.5
"""Distance of lines, in em."""
_RING, _ROUNDED = 2.0, 3.0
"""The ring around the link with the focus: its distance, and its radius."""
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_TAB = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)


class LinkBox(Box):
    """A box of formulas, one below the other; Tab visits their links.

    A drag or a double click selects, and Ctrl+C copies what is selected, or else all.
    It is laid out only in the width in which it is shown, or asked for its height.

    Attributes
    ----------
    followed : Signal
        The `Cell` of a link that the user follows.
    """

    followed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._lines: tuple[Line, ...] = ()
        self._kept: dict[int, list[LaidOut]] = {}
        self._faces: Faces | None = None
        self._description: Callable[[], str] = super().accessibleDescription
        self._current = -1
        self._pressed: Cell | None = None
        self._pressed_at = QPointF()
        self._selection = FormulaSelection()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        # Qt's label has no height for width before it has a text.
        policy = self.sizePolicy()
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    @property
    def lines(self) -> tuple[Line, ...]:
        """The formulas that it shows."""
        return self._lines

    def text(self) -> str:
        """Return its lines as plain text."""
        return "\n".join(spoken(whole(line)) for line in self._lines)

    def links(self) -> list[Link]:
        """Return its links in visual order, as Tab visits them."""
        return [link for part in self._here() for link in part.links]

    @property
    def selected_text(self) -> str:
        """The selected part as plain text; "" for nothing."""
        return self._selection.text(self.text(), self._placed())

    @property
    def link_texts(self) -> list[str]:
        """The text of each link."""
        names = []
        for part in self._here():
            runs = groupby(part.marks, lambda mark: mark[4].cell)
            texts = (
                (cell, "".join(mark[4].text for mark in run)) for cell, run in runs
            )
            names += [text for cell, text in texts if cell is not None]
        return names

    @property
    def written_width(self) -> float:
        """The width of its longest line, in pixels."""
        return max((part.width for part in self._here()), default=0.0)

    @property
    def em(self) -> float:
        """The height of its font, in pixels."""
        return self._in_faces().em

    @property
    def current_link(self) -> int:
        """The link with the focus; −1 for none."""
        return self._current if self.hasFocus() else -1

    def link_rect(self, number: int) -> QRect:
        """Return where a link begins, in pixels of the box."""
        return self.link_places()[number].toAlignedRect()

    def link_places(self) -> list[QRectF]:
        """Return where each link begins, in pixels of the box."""
        left, bases = self._places()
        return [
            link.places[0].translated(left, base)
            for part, base in zip(self._here(), bases, strict=True)
            for link in part.links
        ]

    def follow(self, number: int) -> None:
        """Follow a link."""
        self.followed.emit(self.links()[number].cell)

    def described(self) -> QAccessibleInterface:
        """Return its description for screen readers, with links as links."""
        return DescribedLinks(self)

    def describe(self, description: Callable[[], str]) -> None:
        """Let screen readers have a description, written when one asks for it."""
        self._description = description
        announce_description(self)

    def accessibleDescription(self) -> str:
        return self._description()

    def show_lines(self, lines: Iterable[Line]) -> None:
        """Show other lines."""
        lines = tuple(lines)
        if lines == self._lines:
            return
        before = self._kept.get(self._inner_width())
        place = self._places()
        self._lines = lines
        self._selection.clear()
        self.forget_heights()
        if before is None or self._height_of(self._here()) != self._height_of(before):
            self.updateGeometry()
        if self._current >= 0:
            self._current = min(self._current, len(self.links()) - 1)
        if before is None or self._current >= 0 or self._places() != place:
            self.update()
        else:
            self._update_changes(before, *place)

    def _update_changes(
        self, before: Sequence[LaidOut], left: float, bases: Sequence[float]
    ) -> None:
        """Let the texts be painted that differ."""
        for part, base, old in zip(self._here(), bases, before, strict=True):
            changed = part.changed_rects(old, left, base) if part is not old else []
            if changed is None:
                self.update()
                return
            for area in changed:
                self.update(area)

    def forget_heights(self) -> None:
        self._kept = {}
        super().forget_heights()

    def measured(self, width: int) -> int:
        around = 2 * self.margin() + self.width() - self.contentsRect().width()
        height = self._height_of(self._laid_out(max(width - around, 0)))
        return math.ceil(height) + around

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # The layout may remember the height of earlier lines in this width.
        width = self.width()
        if width != event.oldSize().width() and self.measured(width) != self.height():
            self.updateGeometry()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self.drawFrame(painter)
        painter.setPen(self.palette().color(self.foregroundRole()))
        left, bases = self._places()
        if self._selection:
            ground = QColor(Appearance.theme_in_force().selected)
            self._selection.paint(painter, self._placed(), ground)
        for part, base in zip(self._here(), bases, strict=True):
            part.paint(painter, left, base, event.region())
        if self.hasFocus() and self._current >= 0:
            self._paint_ring(painter)
        painter.end()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        point, shapes = event.position(), Qt.CursorShape
        if event.buttons() & Qt.MouseButton.LeftButton:
            way = (point - self._pressed_at).manhattanLength()
            if self._selection or way >= QApplication.startDragDistance():
                self._selection.drag(self._placed(), point)
                self.update()
        over = self._cell_at(point) is not None and not self._selection
        self.setCursor(shapes.PointingHandCursor if over else shapes.IBeamCursor)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)
            return
        self._pressed_at = event.position()
        self._pressed = self._cell_at(event.position())
        self._selection.press(self._placed(), event.position())
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        cell, left = self._cell_at(event.position()), Qt.MouseButton.LeftButton
        clicked = cell is not None and cell == self._pressed and not self._selection
        if event.button() == left and clicked:
            self.followed.emit(cell)
        self._pressed = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._selection.press(self._placed(), event.position())
        self._selection.drag(self._placed(), event.position())
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        links = self.links()
        if event.key() in _ENTER and 0 <= self._current < len(links):
            self.followed.emit(links[self._current].cell)
        elif event.matches(QKeySequence.StandardKey.Copy):
            text = self.selected_text or self.text()
            QGuiApplication.clipboard().setText(text)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() in _TAB:
            back = event.reason() == Qt.FocusReason.BacktabFocusReason
            self._go_to(len(self.links()) - 1 if back else 0)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._go_to(-1)

    def focusNextPrevChild(self, forward: bool) -> bool:
        following = self._current + (1 if forward else -1)
        if self.hasFocus() and 0 <= following < len(self.links()):
            self._go_to(following)
            return True
        return super(QLabel, self).focusNextPrevChild(forward)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._faces = None
            self.updateGeometry()

    def _go_to(self, place: int) -> None:
        self._current = place if place < len(self.links()) else -1
        if self.current_link >= 0:
            announce_focused(self, self._current)
        self.update()

    def _paint_ring(self, painter: QPainter) -> None:
        link = self.links()[self._current]
        first = self.link_places()[self._current].topLeft()
        color = self.palette().color(QPalette.ColorRole.Link)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(color, 1.5))
        for place in link.places:
            shifted = place.translated(first - link.places[0].topLeft())
            ring = shifted.adjusted(-_RING, -_RING, _RING, _RING)
            painter.drawRoundedRect(ring, _ROUNDED, _ROUNDED)

    def _cell_at(self, point: QPointF) -> Cell | None:
        left, bases = self._places()
        for part, base in zip(self._here(), bases, strict=True):
            cell = part.cell_at(point.x() - left, point.y() - base)
            if cell is not None:
                return cell
        return None

    def _placed(self) -> list[Placed]:
        return placed_atoms(self._lines, self._here(), *self._places())

    def _places(self) -> tuple[float, list[float]]:
        """Return the left end and the baselines of the lines, in pixels."""
        margin = self.margin()
        room = self.contentsRect().adjusted(margin, margin, -margin, -margin)
        laid_out = self._here()
        above = max(room.height() - self._height_of(laid_out), 0) / 2
        top, bases = room.top() + above, list[float]()
        for part in laid_out:
            bases.append(float(round(top + part.ascent)))
            top += part.height + self._gap()
        return float(room.left()), bases

    def _inner_width(self) -> int:
        return max(self.contentsRect().width() - 2 * self.margin(), 0)

    def _here(self) -> list[LaidOut]:
        return self._laid_out(self._inner_width())

    def _laid_out(self, width: int) -> list[LaidOut]:
        if width not in self._kept:
            faces = self._in_faces()
            self._kept[width] = [
                lay_out_line(line, faces, width) for line in self._lines
            ]
        return self._kept[width]

    def _height_of(self, laid_out: Sequence[LaidOut]) -> float:
        between = self._gap() * max(len(laid_out) - 1, 0)
        return sum(part.height for part in laid_out) + between

    def _gap(self) -> float:
        return _GAP * self.em

    def _in_faces(self) -> Faces:
        if self._faces is None:
            self._faces = faces_of(self.font())
        return self._faces


_LinkBox = TypeVar("_LinkBox", bound=LinkBox)


def link_box(name: str) -> LinkBox:
    """Return a sunken box of formulas with links."""
    return sunken_links(LinkBox(), name)


def sunken_links(box: _LinkBox, name: str) -> _LinkBox:
    """Make a box of links sunken."""
    sunken(box, name)
    box.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
    box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return box
