"""The visible part of a matrix, and the positions of its cells."""

import pyqtgraph as pg
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QGraphicsItem

from attnviewer.ui.state.selection import Position
from attnviewer.ui.views.step.heatmap.arrangement import READABLE

FEWEST_CELLS = 2.0
"""Rows or columns visible at the highest zoom."""
ZOOM = 1.25
"""Zoom factor of one key press."""


class CellBox(pg.ViewBox):
    """Shows a matrix from above, cell by cell one unit high and wide.

    pyqtgraph handles the mouse.
    """

    def __init__(self) -> None:
        super().__init__(enableMenu=False, invertY=True, defaultPadding=0)
        self.disableAutoRange()
        self._shape = (1, 1)

    def stack(self, *layers: QGraphicsItem) -> None:
        """Show items in cell coordinates, each over those before it."""
        for height, item in enumerate(layers):
            self.addItem(item, ignoreBounds=True)
            item.setZValue(height)

    @property
    def sight(self) -> QRectF:
        """The visible range, in cells."""
        (left, right), (top, bottom) = self.viewRange()
        return QRectF(left, top, right - left, bottom - top)

    @property
    def cell_size(self) -> tuple[float, float]:
        """Height and width of a cell in pixels."""
        size, sight = self.size(), self.sight
        return size.height() / sight.height(), size.width() / sight.width()

    @property
    def beside(self) -> QPoint:
        """A pixel beside the corner of the cells, where nothing is drawn."""
        corner: QPointF = self.geometry().bottomRight()
        return corner.toPoint() + QPoint(2, 2)

    @property
    def page(self) -> int:
        """The number of visible rows, at least one."""
        return max(1, int(self.sight.height()))

    def fit(self, shape: tuple[int, int]) -> None:
        """Show all cells of a matrix, and limit the view to them."""
        rows, columns = self._shape = shape
        self.setLimits(
            xMin=0,
            xMax=columns,
            yMin=0,
            yMax=rows,
            minXRange=min(FEWEST_CELLS, columns),
            minYRange=min(FEWEST_CELLS, rows),
        )
        self.setRange(xRange=(0, columns), yRange=(0, rows), padding=0)

    def press(self, event: QKeyEvent, cell: Position | None) -> bool:
        """Handle a zoom key; return whether it was one.

        Plus and minus zoom around a cell or the middle; 0 shows all cells. Where keys
        type numbers into cells, Alt makes them zoom.
        """
        held = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        if event.key() == Qt.Key.Key_0 and not held:
            self.fit(self._shape)
            return True
        factors = {Qt.Key.Key_Plus: ZOOM, Qt.Key.Key_Minus: 1 / ZOOM}
        factor = factors.get(Qt.Key(event.key()))
        if held or factor is None:
            return False
        middle = self.sight.center()
        row, column = cell or (int(middle.y()), int(middle.x()))
        self.scaleBy((1 / factor, 1 / factor), center=(column + 0.5, row + 0.5))
        return True

    def bring_into_sight(self, cell: Position) -> None:
        """Scroll as little as needed to show a cell."""
        (left, right), (top, bottom) = self.viewRange()
        row, column = cell
        down = max(0, row + 1 - bottom) or min(0, row - top)
        across = max(0, column + 1 - right) or min(0, column - left)
        if down or across:
            self.translateBy(x=across, y=down)

    def follow(self, cell: Position) -> None:
        """Move the view to a cell of which nothing is in sight."""
        row, column = cell
        if not self.sight.intersects(QRectF(column, row, 1, 1)):
            self.look_at(column + 0.5, row + 0.5)

    def reveal(self, cell: Position) -> None:
        """Show a cell in the middle, so large that its number can be read.

        What is in sight and large enough stays where it is.
        """
        pairs = zip(READABLE, self.cell_size, strict=True)
        missing = max(least / now for least, now in pairs)
        row, column = cell
        if missing > 1:
            self.scaleBy((1 / missing, 1 / missing))
        elif self.sight.contains(QRectF(column, row, 1, 1)):
            return
        self.look_at(column + 0.5, row + 0.5)

    def look_at(self, x: float, y: float) -> None:
        """Move the view so that a place, in cells, is near its middle."""
        sight, (rows, columns) = self.sight, self._shape
        left = min(max(0.0, x - sight.width() / 2), columns - sight.width())
        top = min(max(0.0, y - sight.height() / 2), rows - sight.height())
        self.translateBy(x=left - sight.left(), y=top - sight.top())

    def cell_at(self, point: QPointF) -> Position | None:
        """Return the cell at a position in the scene, even outside the matrix."""
        if not self.geometry().contains(point):
            return None
        position = self.mapSceneToView(point)
        return int(position.y()), int(position.x())

    def cell_rect(self, cell: Position) -> QRectF:
        """Return the rectangle of a cell in the scene."""
        rect = QRectF(cell[1], cell[0], 1, 1)
        return QRectF(self.mapViewToScene(rect).boundingRect())
