"""The caption of the heatmap: what it leaves out, and the legend of special cells."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter, Qt
from PySide6.QtWidgets import (
    QGraphicsSceneHoverEvent,
    QGraphicsWidget,
    QStyleOptionGraphicsItem,
    QWidget,
)

from attnviewer.ui.paint.colors import color_of_kind
from attnviewer.ui.paint.theme import LIGHT, Theme
from attnviewer.ui.views.step.heatmap.patterns import (
    MASKED,
    PATTERNED,
    fill_kind,
)
from attnviewer.ui.widgets.tool_tips import plain_tip

BETWEEN = 16.0
"""Space between two entries in a line, in pixels."""
SPACING = 1.3
"""Line spacing, as a share of the line height."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A text in the caption.

    Parameters
    ----------
    text : str
        The text.
    kind : int or None
        The kind of cells whose colour precedes it.
    """

    text: str
    kind: int | None = None


class Caption(QGraphicsWidget):
    """Short texts in a row, wrapped as needed."""

    def __init__(self) -> None:
        super().__init__()
        self._entries: tuple[Entry, ...] = ()
        self._theme = LIGHT
        self.setAcceptHoverEvents(True)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The entries."""
        return self._entries

    def set_entries(self, entries: Sequence[Entry]) -> None:
        """Set the entries."""
        self._entries = tuple(entries)
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Apply the colours of a theme."""
        self._theme = theme
        self.update()

    def extent(self, width: float) -> float:
        """Return the height of the texts when wrapped to a width."""
        placed = self.placed(width)
        return placed[-1][1].bottom() if placed else 0.0

    def placed(self, width: float) -> list[tuple[Entry, QRectF]]:
        """Return the entries with their rectangles, none wider than `width`."""
        metrics = QFontMetricsF(self.font())
        line = metrics.height()
        x = y = 0.0
        entry_rects = []
        for entry in self._entries:
            text = metrics.horizontalAdvance(entry.text)
            wide = min(text + self._swatch(entry), width)
            if x and x + wide > width:
                x, y = 0.0, y + SPACING * line
            entry_rects.append((entry, QRectF(x, y, wide, line)))
            x += wide + BETWEEN
        return entry_rects

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionGraphicsItem,
        widget: QWidget | None = None,
    ) -> None:
        painter.setFont(self.font())
        metrics = QFontMetricsF(self.font())
        for entry, rect in self.placed(self.size().width()):
            swatch = self._swatch(entry)
            if entry.kind is not None:
                self._paint_swatch(painter, entry.kind, rect)
            painter.setPen(QColor(self._theme.muted))
            text = metrics.elidedText(
                entry.text, Qt.TextElideMode.ElideRight, rect.width() - swatch + 1
            )
            baseline = rect.top() + metrics.ascent()
            painter.drawText(QPointF(rect.left() + swatch, baseline), text)

    def hoverMoveEvent(self, event: QGraphicsSceneHoverEvent) -> None:
        under = (
            entry.text
            for entry, rect in self.placed(self.size().width())
            if rect.contains(event.pos())
        )
        self.setToolTip(plain_tip(next(under, "")))

    def _swatch(self, entry: Entry) -> float:
        """Return the width of the swatch before a text."""
        line = QFontMetricsF(self.font()).height()
        return 0.0 if entry.kind is None else 1.3 * line

    def _paint_swatch(self, painter: QPainter, kind: int, rect: QRectF) -> None:
        side = rect.height() * 0.8
        top = rect.center().y() - side / 2
        square = QRectF(rect.left(), top, side, side)
        masked = kind == MASKED
        ground = self._theme.sunken if masked else color_of_kind(kind, self._theme)
        painter.setPen(QColor(self._theme.border))
        painter.setBrush(QColor(ground))
        painter.drawRect(square)
        if kind in PATTERNED:
            fill_kind(painter, square, kind)
        painter.setBrush(QBrush())
