"""Boxes that are stacked on pages."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter, QPen

from attnviewer.ui.sheets.lines import Line
from attnviewer.ui.sheets.measures import LINE, MILLIMETRE

BLACK, GRAY = QColor(0, 0, 0), QColor(120, 120, 120)
_TICK = 3.6 * MILLIMETRE


class Box(ABC):
    """Something that stays on one page.

    Attributes
    ----------
    width, height : float
        Its extent.
    """

    width: float
    height: float

    @abstractmethod
    def paint(self, painter: QPainter, x: float, top: float) -> None:
        """Paint it with its upper left corner at a point."""


@dataclass(frozen=True, slots=True)
class TextBox(Box):
    """A line of text.

    Parameters
    ----------
    line : Line
        The line.
    indent : float
        How far from the left it begins.
    mark : str
        What stands in the indent: ``•``, a number, or ``tick`` and ``ticked`` for a
        little square.
    marked : Line or None
        The mark as a line, unless it is a square.
    """

    line: Line
    indent: float = 0.0
    mark: str = ""
    marked: Line | None = None

    @property
    def width(self) -> float:  # type: ignore[override]
        """Its width, the indent included."""
        return self.indent + self.line.width

    @property
    def height(self) -> float:  # type: ignore[override]
        """Its height."""
        return self.line.height

    def paint(self, painter: QPainter, x: float, top: float) -> None:
        self.line.paint(painter, x + self.indent, top)
        if self.marked is not None:
            left = x + self.indent - self.marked.width - 2 * MILLIMETRE
            self.marked.paint(
                painter, left, top + self.line.ascent - self.marked.ascent
            )
        elif self.mark:
            self._paint_square(painter, x, top + self.line.ascent)

    def _paint_square(self, painter: QPainter, x: float, baseline: float) -> None:
        square = QRectF(x + MILLIMETRE, baseline - 0.85 * _TICK, _TICK, _TICK)
        painter.setPen(QPen(BLACK, 1.4 * LINE))
        painter.drawRect(square)
        if self.mark == "ticked":
            painter.setPen(QPen(BLACK, 3 * LINE))
            inner = square.adjusted(
                0.2 * _TICK, 0.2 * _TICK, -0.2 * _TICK, -0.2 * _TICK
            )
            painter.drawLine(inner.topLeft(), inner.bottomRight())
            painter.drawLine(inner.topRight(), inner.bottomLeft())
        painter.setPen(BLACK)


@dataclass(frozen=True, slots=True)
class RowBox(Box):
    """Boxes beside each other, their tops in one line."""

    boxes: tuple[Box, ...]
    gap: float

    @property
    def width(self) -> float:  # type: ignore[override]
        """Their width and that of the gaps."""
        return sum(box.width for box in self.boxes) + self.gap * (len(self.boxes) - 1)

    @property
    def height(self) -> float:  # type: ignore[override]
        """The height of the tallest."""
        return max(box.height for box in self.boxes)

    def paint(self, painter: QPainter, x: float, top: float) -> None:
        for box in self.boxes:
            box.paint(painter, x, top)
            x += box.width + self.gap


@dataclass(frozen=True, slots=True)
class SpaceBox(Box):
    """Nothing, for a distance; it is left out at the top of a page."""

    height: float
    width: float = 0.0

    def paint(self, painter: QPainter, x: float, top: float) -> None:
        pass


@dataclass(frozen=True, slots=True)
class RuleBox(Box):
    """A thin line across."""

    width: float
    height: float = 2 * MILLIMETRE

    def paint(self, painter: QPainter, x: float, top: float) -> None:
        painter.setPen(QPen(GRAY, LINE))
        painter.drawLine(QPointF(x, top), QPointF(x + self.width, top))
        painter.setPen(BLACK)


@dataclass(frozen=True, slots=True)
class Together(Box):
    """Boxes one below the other that no page divides."""

    boxes: tuple[Box, ...]

    @property
    def width(self) -> float:  # type: ignore[override]
        """The width of the widest."""
        return max(box.width for box in self.boxes)

    @property
    def height(self) -> float:  # type: ignore[override]
        """Their height."""
        return sum(box.height for box in self.boxes)

    def paint(self, painter: QPainter, x: float, top: float) -> None:
        for box in self.boxes:
            box.paint(painter, x, top)
            top += box.height


def side_by_side(boxes: Sequence[Box], gap: float, room: float) -> list[RowBox]:
    """Return boxes in rows, as many in each as fit."""
    rows: list[list[Box]] = []
    for box in boxes:
        row = rows[-1] if rows else []
        if row and RowBox((*row, box), gap).width <= room:
            row.append(box)
        else:
            rows.append([box])
    return [RowBox(tuple(row), gap) for row in rows]
