"""The marks of the pinned cells in sight."""

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QTransform
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget

from attnviewer.compute import BoolArray
from attnviewer.ui.paint.pin_mark import has_room, mark_inks, paint_mark
from attnviewer.ui.paint.step_content import StepContent
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.views.step.heatmap.cell_grid import CellGrid
from attnviewer.ui.views.step.heatmap.cells_layer import CellsLayer


class PinMarks(CellsLayer):
    """Marks pinned cells; a mark is repainted with its cell."""

    def __init__(self) -> None:
        super().__init__()
        self._drawn: tuple[CellGrid, BoolArray | None] | None = None

    def set_content(self, content: StepContent, theme: Theme) -> None:
        """Show the pins of other numbers; only other pins are painted anew."""
        before, self._content = self._content, content
        other_theme, self._theme = theme is not self._theme, theme
        drawn, self._drawn = self._drawn, None
        if before is None or before.shape != content.shape:
            self.prepareGeometryChange()
        elif other_theme:
            self.update()
        elif drawn is not None:
            grid, pinned = drawn
            now = content.pinned(*grid.window)
            self._drawn = grid, now
            if not _alike(pinned, now):
                self.update()

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionGraphicsItem,
        widget: QWidget | None = None,
    ) -> None:
        content = self._content
        if content is None:
            return
        grid = CellGrid.of(painter.worldTransform(), self._sight, content.shape)
        if not has_room(grid.width, grid.height):
            self._drawn = None
            return
        pinned = content.pinned(*grid.window)
        self._drawn = grid, pinned
        if pinned is not None and pinned.any():
            painter.setWorldTransform(QTransform())
            self._paint_rows(painter, grid.around(option.exposedRect), content)

    def _paint_rows(
        self, painter: QPainter, grid: CellGrid, content: StepContent
    ) -> None:
        window = grid.window
        pinned = content.pinned(*window)
        if pinned is None or not pinned.any():
            return
        inks = mark_inks(
            content.matrix.window(*window),
            pinned,
            content.scale,
            self._theme,
            content.matrix.hidden(*window),
            content.shown(*window),
        )
        top, left = grid.rows[0], grid.columns[0]
        for (row, column), ink in zip(np.argwhere(pinned).tolist(), inks, strict=True):
            cell = QRectF(grid.pixels(top + row, left + column))
            paint_mark(painter, cell, ink)


def _alike(pinned: BoolArray | None, now: BoolArray | None) -> bool:
    """Return whether the same cells are pinned; None stands for none."""
    if pinned is None or now is None:
        return not any(cells.any() for cells in (pinned, now) if cells is not None)
    return np.array_equal(pinned, now)
