"""A picture with one colour per cell or block of cells."""

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from attnviewer.ui.paint.color_scale import Rgb
from attnviewer.ui.paint.paper import draw_colors
from attnviewer.ui.views.step.heatmap.cell_grid import changed_rows
from attnviewer.ui.views.step.heatmap.picture import Picture


class PictureItem(pg.ImageItem):
    """Draws colours where their cells are."""

    image: Rgb | None  # pyqtgraph's

    def __init__(self) -> None:
        super().__init__(axisOrder="row-major")
        self._rect = QRectF()

    def paint(self, painter: QPainter, *arguments: Any) -> None:
        """Draw the colours; in vector graphics, as rectangles."""
        if self.image is not None:
            colors = np.ascontiguousarray(self.image)
            height, width = colors.shape[:2]
            kind = QImage.Format.Format_RGBA8888
            image = QImage(colors.data, width, height, 4 * width, kind)
            draw_colors(painter, self.boundingRect(), image)

    def show_picture(self, picture: Picture) -> None:
        """Show another picture; only the rows that differ are painted anew."""
        (top, bottom), (left, right) = picture.rows, picture.columns
        rect = QRectF(left, top, right - left, bottom - top)
        before, colors = self.image, picture.colors
        if before is None or (before.shape, self._rect) != (colors.shape, rect):
            self.setImage(colors, autoLevels=False)
            self.setRect(rect)
            self._rect = rect
            return
        self.image = colors
        first, last = changed_rows(before.view(np.uint32), colors.view(np.uint32))
        # Whole rows, as Qt rounds the edges of cells from where it starts painting.
        if first < last:
            self.update(QRectF(0, first, colors.shape[1], last - first))
