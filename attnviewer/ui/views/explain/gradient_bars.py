"""Links to inputs, with a bar beside each that is as long as its gradient."""

import math
from collections.abc import Sequence

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter, QPaintEvent

from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.paint.math import Line
from attnviewer.ui.widgets.link_box import LinkBox

# In em.
_GAP = 0.8
"""Between the numbers and the bars."""
_THICKNESS = 0.6
_LEAST_ROOM = 3.0
"""Narrower bars are left out."""


class GradientBars(LinkBox):
    """Links to inputs, one below the other: bars of positive gradients go right.

    The bars stand beside the numbers, where the box has room for them.
    """

    def __init__(self) -> None:
        super().__init__()
        self._shares: tuple[float, ...] = ()

    def show_gradients(self, line: Line, gradients: Sequence[float]) -> None:
        """Show one line with a link per gradient, from the largest gradient on."""
        before, self._shares = self._shares, _shares(gradients)
        self.show_lines([line])
        if self._shares != before:
            self.update(self._room().toAlignedRect())

    @property
    def bars(self) -> list[QRectF]:
        """The bars, in pixels of the box: one per link, or none for want of room."""
        room = self._room()
        if not self._shares or room.width() < _LEAST_ROOM * self.em:
            return []
        axis, high = room.center().x(), _THICKNESS * self.em
        return [
            QRectF(
                axis + min(share, 0.0) * room.width() / 2,
                place.center().y() - high / 2,
                abs(share) * room.width() / 2,
                high,
            )
            for place, share in zip(self.link_places(), self._shares, strict=True)
        ]

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        bars, room = self.bars, self._room()
        if not bars or not event.rect().intersects(room.toAlignedRect()):
            return
        theme = Appearance.theme_in_force()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for bar, share in zip(bars, self._shares, strict=True):
            color = theme.negative if share < 0 else theme.positive
            painter.fillRect(bar, QColor(color))
        axis = QRectF(round(room.center().x()), room.top(), 1, room.height())
        painter.fillRect(axis, QColor(theme.control))
        painter.end()

    def _room(self) -> QRectF:
        """Return the room of the bars, on both sides of their axis."""
        margin = self.margin()
        inside = QRectF(self.contentsRect()).adjusted(margin, margin, -margin, -margin)
        inside.setLeft(inside.left() + self.written_width + _GAP * self.em)
        return inside


def _shares(gradients: Sequence[float]) -> tuple[float, ...]:
    """Return gradients as shares of the largest one; infinite ones have the whole."""
    largest = max(map(abs, gradients), default=0.0)
    if math.isinf(largest):
        return tuple(math.copysign(math.isinf(g), g) for g in gradients)
    return tuple(g / largest for g in gradients)
