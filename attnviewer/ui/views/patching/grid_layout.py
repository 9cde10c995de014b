"""The layout of the cells and labels of a grid."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics

from attnviewer.ui.paint.miniature.grid import Grid as Cells
from attnviewer.ui.state.selection import Position

SPACE = 6
"""Beside labels."""
WIDEST, TALLEST = 56, 30
"""Of a cell."""
LONGEST_LABEL = 120
BAR = 10
"""Width of the colours of the bar."""


@dataclass(frozen=True, slots=True)
class GridLayout:
    """The cells of a grid with labels above and beside them, and a colour bar.

    Parameters
    ----------
    corner : QPoint
        Upper left corner of the cells.
    cells : Grid
        The layout of the cells.
    turned : bool
        Whether the labels of columns are turned.
    bar : QRect
        The colours of the colour bar.
    size : QSize
        All of it.
    """

    corner: QPoint
    cells: Cells
    turned: bool
    bar: QRect
    size: QSize

    @classmethod
    def of(
        cls,
        rows: Sequence[str],
        columns: Sequence[str],
        width: int,
        metrics: QFontMetrics,
        bar_labels: int,
    ) -> "GridLayout":
        """Lay a grid out in a width, or wider if its cells would be too narrow.

        Parameters
        ----------
        rows, columns : sequence of str
            The labels.
        width : int
            The width that there is.
        metrics : QFontMetrics
            Of the labels' font.
        bar_labels : int
            The width of the labels beside the colour bar.
        """
        line = metrics.height()
        left = _longest(rows, metrics) + SPACE
        right = 2 * SPACE + BAR + SPACE + bar_labels
        room = (width - left - right) // len(columns)
        across = max(line, min(room, WIDEST))
        turned = _longest(columns, metrics) + 2 > across
        top = (_longest(columns, metrics) if turned else line) + SPACE
        down = max(line + 2, min(across, TALLEST))
        size = QSize(across * len(columns), down * len(rows))
        beside = left + size.width() + 2 * SPACE
        height = max(size.height(), 3 * line)
        bar = QRect(beside, top, BAR, min(height, 12 * line))
        whole = QSize(left + size.width() + right, top + height + SPACE)
        cells = Cells(len(rows), len(columns), size)
        return cls(QPoint(left, top), cells, turned, bar, whole)

    def rect_of(self, cell: Position) -> QRect:
        """Return where a cell is."""
        return self.cells.cell_rect(cell).translated(self.corner)

    def cell_at(self, point: QPoint) -> Position | None:
        """Return the cell at a point."""
        return self.cells.cell_at(point - self.corner)


def shortened(label: str, metrics: QFontMetrics) -> str:
    """Return a label as it is written."""
    return metrics.elidedText(label, Qt.TextElideMode.ElideRight, LONGEST_LABEL)


def _longest(labels: Sequence[str], metrics: QFontMetrics) -> int:
    widths = (metrics.horizontalAdvance(shortened(each, metrics)) for each in labels)
    return max(widths, default=0)
