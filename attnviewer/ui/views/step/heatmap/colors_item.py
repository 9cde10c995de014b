"""The colours of the visible cells."""

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF, Signal, Slot
from PySide6.QtGui import QImage, QPainter

from attnviewer.ui.paint.color_scale import Rgb
from attnviewer.ui.paint.paper import draw_colors
from attnviewer.ui.paint.step_content import StepContent
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.views.step.heatmap.cell_grid import cells_within, changed_rows
from attnviewer.ui.views.step.heatmap.means import MeansReader
from attnviewer.ui.views.step.heatmap.picture import paint_window


class ColorsItem(pg.ImageItem):
    """Draws one colour per cell, or per block of cells.

    Attributes
    ----------
    pooled : Signal
        Rows and columns of the cells that share a colour.
    """

    pooled = Signal(object)
    image: Rgb | None  # pyqtgraph's

    def __init__(self) -> None:
        super().__init__(axisOrder="row-major")
        self._means = MeansReader(self)
        self._means.finished.connect(self._paint_anew)
        self._window: tuple[Any, ...] = ()
        self._rect = QRectF()

    def show_cells(
        self,
        content: StepContent,
        theme: Theme,
        sight: QRectF,
        cell: tuple[float, float],
    ) -> None:
        """Show the visible part of a step.

        Parameters
        ----------
        content : StepContent
            The step.
        theme : Theme
            The current theme.
        sight : QRectF
            The visible part, in cells.
        cell : tuple of two float
            Height and width of a cell in pixels.
        """
        rows, columns = content.shape
        means = content.overview if content.look.pooling == "mean" else None
        if means is not None and not means.has_means:
            self._means.read(means)
        else:
            self._means.stop()
        window = (
            content,
            cells_within(sight.top(), sight.bottom(), rows),
            cells_within(sight.left(), sight.right(), columns),
            cell,
            theme,
        )
        if window != self._window:
            self._window = window
            self._paint_anew()

    def forget(self) -> None:
        """Release the step; its picture stays."""
        self._means.stop()
        self._window = ()

    def paint(self, painter: QPainter, *arguments: Any) -> None:
        """Draw the colours; in vector graphics, as rectangles."""
        if self.image is not None:
            colors = np.ascontiguousarray(self.image)
            height, width = colors.shape[:2]
            kind = QImage.Format.Format_RGBA8888
            image = QImage(colors.data, width, height, 4 * width, kind)
            draw_colors(painter, self.boundingRect(), image)

    @Slot()
    def _paint_anew(self) -> None:
        picture = paint_window(*self._window)
        (top, bottom), (left, right) = picture.rows, picture.columns
        rect = QRectF(left, top, right - left, bottom - top)
        self._show_colors(picture.colors, rect)
        self.pooled.emit(picture.block)

    def _show_colors(self, colors: Rgb, rect: QRectF) -> None:
        before = self.image
        if before is None or (before.shape, self._rect) != (colors.shape, rect):
            self.setImage(colors, autoLevels=False)
            self.setRect(rect)
            self._rect = rect
            return
        self.image = colors
        first, last = changed_rows(before, colors)
        # Whole rows, as Qt rounds the edges of cells from where it starts painting.
        if first < last:
            self.update(QRectF(0, first, colors.shape[1], last - first))
