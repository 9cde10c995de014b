"""The layout of the cells of a small heatmap."""

from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect, QSize

from attnviewer.ui.state.selection import Position


@dataclass(frozen=True, slots=True)
class Grid:
    """The layout of the cells of a small heatmap.

    Parameters
    ----------
    rows, columns : int
        Shape of the step.
    size : QSize
        Size of the heatmap in pixels.
    """

    rows: int
    columns: int
    size: QSize

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.rows, self.columns

    def has(self, cell: Position) -> bool:
        """Return whether the step has such a cell."""
        return 0 <= cell[0] < self.rows and 0 <= cell[1] < self.columns

    def cell_rect(self, cell: Position) -> QRect:
        """Return the rectangle of a cell."""
        row, column = cell
        width, height = self.size.width(), self.size.height()
        left, right = ((column + k) * width // self.columns for k in (0, 1))
        top, bottom = ((row + k) * height // self.rows for k in (0, 1))
        return QRect(left, top, right - left, bottom - top)

    def cell_at(self, point: QPoint) -> Position | None:
        """Return the cell at a point, even one too small to be seen."""
        if not QRect(QPoint(0, 0), self.size).contains(point):
            return None
        return (
            ((point.y() + 1) * self.rows - 1) // self.size.height(),
            ((point.x() + 1) * self.columns - 1) // self.size.width(),
        )
