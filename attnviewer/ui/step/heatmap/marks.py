"""The selected cell, with its row and its column."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QTransform
from PySide6.QtWidgets import QGraphicsObject, QStyleOptionGraphicsItem, QWidget

from attnviewer.ui.colors import INKS
from attnviewer.ui.selection import Position
from attnviewer.ui.step.heatmap.cells import CellGrid

DARK_INK, LIGHT_INK = INKS
LINES_FROM = 5.0
"""Rows and columns narrower than this, in pixels, are not outlined."""
SMALLEST_MARK = 7.0


class SelectionMarks(QGraphicsObject):
    """Light and dark lines together, so that they show on every colour."""

    def __init__(self) -> None:
        super().__init__()
        self._shape = (0, 0)
        self._cell: Position | None = None
        self._sight = QRectF()

    def set_cell(self, cell: Position | None) -> None:
        """Mark a cell, or none."""
        if cell != self._cell:
            self._cell = cell
            self.update()

    def set_shape(self, shape: tuple[int, int]) -> None:
        """Lie over a matrix of another shape."""
        if shape != self._shape:
            self.prepareGeometryChange()
            self._shape = shape

    def set_sight(self, sight: QRectF) -> None:
        """Say which part of the matrix is in sight, in cells."""
        self._sight = QRectF(sight)

    def boundingRect(self) -> QRectF:
        return QRectF(0, 0, self._shape[1], self._shape[0])

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionGraphicsItem,
        widget: QWidget | None = None,
    ) -> None:
        rows, columns = self._shape
        if self._cell is None or self._cell[0] >= rows or self._cell[1] >= columns:
            return
        row, column = self._cell
        transform = painter.worldTransform()
        grid = CellGrid.of(transform, self._sight, self._shape)
        painter.setWorldTransform(QTransform())
        sight = transform.mapRect(self._sight)
        if grid.height >= LINES_FROM:
            _outline(painter, _part(sight, top=grid.y(row), height=grid.height))
        if grid.width >= LINES_FROM:
            _outline(painter, _part(sight, left=grid.x(column), width=grid.width))
        cell = QRectF(grid.rect(row, column).toRect())
        missing_width = max(0.0, SMALLEST_MARK - cell.width()) / 2
        missing_height = max(0.0, SMALLEST_MARK - cell.height()) / 2
        cell.adjust(-missing_width, -missing_height, missing_width, missing_height)
        line = 3.0 if min(cell.width(), cell.height()) >= 24 else 1.5
        _frame(painter, cell, 0.5, 1.0, DARK_INK)
        _frame(painter, cell, 1.0 + line / 2, line, LIGHT_INK)
        _frame(painter, cell, 1.5 + line, 1.0, DARK_INK)


def _outline(painter: QPainter, rect: QRectF) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    # Whole pixels, or the two sides would differ in width.
    inside = QRectF(rect.toRect()).adjusted(1, 1, -1, -1)
    painter.setPen(QPen(LIGHT_INK, 2))
    painter.drawRect(inside)
    dashes = QPen(DARK_INK, 2)
    dashes.setDashPattern([2.5, 2.5])
    painter.setPen(dashes)
    painter.drawRect(inside)


def _frame(
    painter: QPainter, cell: QRectF, inset: float, line: float, ink: QColor
) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(
        QPen(
            ink,
            line,
            Qt.PenStyle.SolidLine,
            Qt.PenCapStyle.SquareCap,
            Qt.PenJoinStyle.MiterJoin,
        )
    )
    painter.drawRect(cell.adjusted(inset, inset, -inset, -inset))


def _part(
    sight: QRectF,
    *,
    left: float | None = None,
    top: float | None = None,
    width: float = 0.0,
    height: float = 0.0,
) -> QRectF:
    """Return the stripe of a row or a column through what is in sight."""
    if top is not None:
        return QRectF(sight.left(), top, sight.width(), height)
    assert left is not None
    return QRectF(left, sight.top(), width, sight.height())
