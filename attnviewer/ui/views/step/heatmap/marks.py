"""The selected cell, and marked rows and columns."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QTransform
from PySide6.QtWidgets import QGraphicsObject, QStyleOptionGraphicsItem, QWidget

from attnviewer.ui.paint.colors import INKS
from attnviewer.ui.paint.theme import LIGHT, Theme
from attnviewer.ui.state.selection import Marked, Position
from attnviewer.ui.views.step.heatmap.cell_grid import CellGrid

_, LIGHT_INK = INKS
CACHE_LINE = 3.0
"""Height of the lines along keys in the cache, in pixels."""
SMALLEST_MARK = 7.0
THIN = 12.0
"""Marked rows and columns narrower than this, in pixels, have thinner frames."""
FRAME, HALO, RADIUS = 3.0, 7.0, 5.0
LARGE = 48.0
"""Smaller cells, in pixels, have thinner frames, down to half the width."""


class SelectionMarks(QGraphicsObject):
    """Frames with a halo beneath, visible on every colour."""

    def __init__(self) -> None:
        super().__init__()
        self._shape = (0, 0)
        self._cell: Position | None = None
        self._marked = self._cached = Marked()
        self._theme = LIGHT
        self._sight = QRectF()

    def set_cell(self, cell: Position | None) -> None:
        """Mark a cell, or none."""
        if cell != self._cell:
            self._cell = cell
            self.update()

    def set_theme(self, theme: Theme) -> None:
        """Apply the colours of a theme."""
        self._theme = theme
        self.update()

    def set_marked(self, marked: Marked) -> None:
        """Mark whole rows and columns."""
        if marked != self._marked:
            self._marked = marked
            self.update()

    def set_cached(self, cached: Marked) -> None:
        """Underline the cells of a row whose keys are in the cache."""
        if cached != self._cached:
            self._cached = cached
            self.update()

    def set_shape(self, shape: tuple[int, int]) -> None:
        """Set the shape of the matrix."""
        if shape != self._shape:
            self.prepareGeometryChange()
            self._shape = shape

    def set_sight(self, sight: QRectF) -> None:
        """Set the visible part of the matrix, in cells."""
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
        self._paint_cached(painter, grid)
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
        # Only frames: a tint would change the colours of the cells.
        for ink, wide in ((LIGHT_INK, 5), (QColor(self._theme.accent), 3)):
            for stripe in stripes:
                thin = min(stripe.width(), stripe.height()) < THIN
                painter.setPen(QPen(ink, wide / 2 if thin else wide))
                # Around thin cells, which lines would hide.
                out = 1.5 if thin else 0.0
                painter.drawRect(stripe.adjusted(-out, -out, out, out))

    def _paint_cached(self, painter: QPainter, grid: CellGrid) -> None:
        key = QColor(self._theme.key)
        for row in self._cached.rows:
            low = grid.y(row) + grid.height
            for first, last in _runs(self._cached.columns):
                left, width = grid.x(first), grid.width * (last - first)
                line = QRectF(left, low - CACHE_LINE, width, CACHE_LINE)
                painter.fillRect(line.adjusted(0, -1, 0, 0), LIGHT_INK)
                painter.fillRect(line, key)

    def _paint_cell(
        self, painter: QPainter, grid: CellGrid, sight: QRectF, cell: Position
    ) -> None:
        rect = QRectF(grid.rect(*cell).toRect())
        missing_width = max(0.0, SMALLEST_MARK - rect.width()) / 2
        missing_height = max(0.0, SMALLEST_MARK - rect.height()) / 2
        rect.adjust(-missing_width, -missing_height, missing_width, missing_height)
        side = min(rect.width(), rect.height())
        scale = min(1.0, max(0.5, side / LARGE))
        # At the edge the frame is whole; the halo has a ground of its own there.
        inset = scale * FRAME / 2 + 0.5
        rect &= sight.adjusted(inset, inset, -inset, -inset)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for ink, wide in ((self._theme.halo, HALO), (self._theme.frame, FRAME)):
            painter.setPen(QPen(QColor(ink), scale * wide))
            painter.drawRoundedRect(rect, scale * RADIUS, scale * RADIUS)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)


def _runs(indices: frozenset[int]) -> list[tuple[int, int]]:
    """Return the starts and stops of runs of neighbours."""
    inner = sorted(indices)
    starts = [i for i in inner if i - 1 not in indices]
    stops = [i + 1 for i in inner if i + 1 not in indices]
    return list(zip(starts, stops, strict=True))


def _part(
    sight: QRectF,
    *,
    left: float | None = None,
    top: float | None = None,
    width: float = 0.0,
    height: float = 0.0,
) -> QRectF:
    """Return the visible part of a row or a column."""
    if top is not None:
        return QRectF(sight.left(), top, sight.width(), height)
    assert left is not None
    return QRectF(left, sight.top(), width, sight.height())
