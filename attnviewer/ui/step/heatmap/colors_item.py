"""The colours of the cells."""

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtGui import QImage, QPainter

from attnviewer.ui.look.color_scale import Rgb
from attnviewer.ui.paper import draw_colors, for_paper


class ColorsItem(pg.ImageItem):
    """Draws one colour per cell, or per block of cells."""

    def __init__(self) -> None:
        super().__init__(axisOrder="row-major")
        self._colors: Rgb | None = None

    def show_colors(self, colors: Rgb) -> None:
        """Show other colours.

        Parameters
        ----------
        colors : ndarray of uint8, shape (height, width, 4)
            Red, green, blue and opacity.
        """
        self._colors = colors
        self.setImage(colors, autoLevels=False)

    def paint(self, painter: QPainter, *arguments: Any) -> None:
        """Draw the colours, on paper as rectangles."""
        if self._colors is None or not for_paper():
            super().paint(painter, *arguments)
            return
        colors = np.ascontiguousarray(self._colors)
        height, width = colors.shape[:2]
        kind = QImage.Format.Format_RGBA8888
        image = QImage(colors.data, width, height, 4 * width, kind)
        draw_colors(painter, self.boundingRect(), image)
