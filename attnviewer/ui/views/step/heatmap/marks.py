"""The selected cell, marked rows and columns, and what is under the pointer."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QTransform
from PySide6.QtWidgets import QGraphicsObject, QStyleOptionGraphicsItem, QWidget

from attnviewer.ui.paint.colors import INKS
from attnviewer.ui.paint.theme import LIGHT, Theme
from attnviewer.ui.state.links import Linked
from attnviewer.ui.state.selection import Marked, Position
from attnviewer.ui.views.step.heatmap.cell_grid import CellGrid

DARK_INK, LIGHT_INK = INKS
LINES_FROM = 5.0
"""Rows and columns narrower than this, in pixels, are not outlined."""
SMALLEST_MARK = 7.0
THIN = 12.0
"""Marked rows and columns narrower than this, in pixels, have thinner frames."""
THINNEST = 3.0
"""Rows and columns narrower than this, in pixels, are lit as if they were so wide."""


class SelectionMarks(QGraphicsObject):
    """Light and dark lines together, so that they show on every colour."""

    def __init__(self) -> None:
        super().__init__()
        self._shape = (0, 0)
        self._cell: Position | None = None
        self._linked = Linked()
        self._marked = Marked()
        self._theme = LIGHT
        self._sight = QRectF()

    def set_cell(self, cell: Position | None) -> None:
        """Mark a cell, or none."""
        if cell != self._cell:
            self._cell = cell
            self.update()

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self.update()

    def set_linked(self, linked: Linked) -> None:
        """Light what belongs to the cell under the pointer."""
        if linked != self._linked:
            self._linked = linked
            self.update()

    def set_marked(self, marked: Marked) -> None:
        """Mark whole rows and columns."""
        if marked != self._marked:
            self._marked = marked
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
        transform = painter.worldTransform()
        grid = CellGrid.of(transform, self._sight, self._shape)
        painter.setWorldTransform(QTransform())
        sight = transform.mapRect(self._sight)
        painter.setClipRect(sight.adjusted(-1, -1, 1, 1))
        self._paint_marked(painter, grid, sight)
        self._paint_linked(painter, grid, sight)
        rows, columns = self._shape
        if self._cell is not None and self._cell[0] < rows and self._cell[1] < columns:
            self._paint_cell(painter, grid, sight, self._cell)

    def _paint_marked(self, painter: QPainter, grid: CellGrid, sight: QRectF) -> None:
        stripes = [
            _part(sight, top=grid.y(first), height=grid.height * (last - first))
            for first, last in _runs(self._marked.rows)
        ]
        stripes += [
            _part(sight, left=grid.x(first), width=grid.width * (last - first))
            for first, last in _runs(self._marked.columns)
        ]
        painter.setBrush(Qt.BrushStyle.NoBrush)
        # Frames alone: a ground would make other colours of the numbers'.
        for ink, wide in ((LIGHT_INK, 5), (QColor(self._theme.accent), 3)):
            for stripe in stripes:
                thin = min(stripe.width(), stripe.height()) < THIN
                painter.setPen(QPen(ink, wide / 2 if thin else wide))
                # Around cells that a line would hide.
                out = 1.5 if thin else 0.0
                painter.drawRect(stripe.adjusted(-out, -out, out, out))

    def _paint_linked(self, painter: QPainter, grid: CellGrid, sight: QRectF) -> None:
        for row in self._linked.rows:
            height = max(grid.height, THINNEST)
            top = grid.y(row + 0.5) - height / 2
            _edges(painter, _part(sight, top=top, height=height), across=True)
        for column in self._linked.columns:
            width = max(grid.width, THINNEST)
            left = grid.x(column + 0.5) - width / 2
            _edges(painter, _part(sight, left=left, width=width), across=False)

    def _paint_cell(
        self, painter: QPainter, grid: CellGrid, sight: QRectF, cell: Position
    ) -> None:
        row, column = cell
        if grid.height >= LINES_FROM:
            _outline(painter, _part(sight, top=grid.y(row), height=grid.height))
        if grid.width >= LINES_FROM:
            _outline(painter, _part(sight, left=grid.x(column), width=grid.width))
        rect = QRectF(grid.rect(row, column).toRect())
        missing_width = max(0.0, SMALLEST_MARK - rect.width()) / 2
        missing_height = max(0.0, SMALLEST_MARK - rect.height()) / 2
        rect.adjust(-missing_width, -missing_height, missing_width, missing_height)
        painter.setClipping(False)
        line = 3.0 if min(rect.width(), rect.height()) >= 24 else 1.5
        _frame(painter, rect, 0.5, 1.0, DARK_INK)
        _frame(painter, rect, 1.0 + line / 2, line, LIGHT_INK)
        _frame(painter, rect, 1.5 + line, 1.0, DARK_INK)


def _edges(painter: QPainter, rect: QRectF, *, across: bool) -> None:
    """Draw a light and a dark line on both sides of a row or a column."""
    inside = QRectF(rect.toRect())
    for ink, inset in ((LIGHT_INK, 0.5), (DARK_INK, -0.5)):
        painter.setPen(QPen(ink, 1))
        edge = inside.adjusted(inset, inset, -inset, -inset)
        if across:
            painter.drawLine(edge.topLeft(), edge.topRight())
            painter.drawLine(edge.bottomLeft(), edge.bottomRight())
        else:
            painter.drawLine(edge.topLeft(), edge.bottomLeft())
            painter.drawLine(edge.topRight(), edge.bottomRight())


def _runs(indices: frozenset[int]) -> list[tuple[int, int]]:
    """Return where neighbours begin, and where they have ended."""
    inner = sorted(indices)
    starts = [i for i in inner if i - 1 not in indices]
    stops = [i + 1 for i in inner if i + 1 not in indices]
    return list(zip(starts, stops, strict=True))


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
