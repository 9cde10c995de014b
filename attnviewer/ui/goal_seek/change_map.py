"""A small heatmap of how the numbers of an input change."""

import numpy as np
from PySide6.QtCore import QPoint, QSize
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from attnviewer.compute import Array
from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.paint.color_scale import ColorScale
from attnviewer.ui.paint.colors import cell_colors
from attnviewer.ui.paint.miniature.image import cell_image
from attnviewer.ui.paint.miniature.miniature import Miniature, paint_miniature

SIDE = 6
"""The longest side, in heights of a line."""
LEAST = 8
"""The shortest side, in pixels."""


class ChangeMap(QWidget):
    """Paints changes in the colours of the Difference view, below their title.

    Parameters
    ----------
    title : str
        The input, and how much of it changes.
    change : ndarray, shape (rows, columns)
        New less old.
    reach : float
        The largest change of all inputs, for a common scale.
    parent : QWidget
        The widget that shows it.
    """

    def __init__(
        self, title: str, change: Array, reach: float, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setObjectName("seek.map")
        self._title, self._change, self._reach = title, change, reach
        self.setAccessibleName(title)
        self.setToolTip(title)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        picture, metrics = self._picture_size, self.fontMetrics()
        width = max(picture.width(), metrics.horizontalAdvance(self._title))
        return QSize(width + 2, picture.height() + self._above)

    @property
    def _above(self) -> int:
        return self.fontMetrics().lineSpacing() + 4

    @property
    def _picture_size(self) -> QSize:
        longest = SIDE * self.fontMetrics().lineSpacing()
        rows, columns = self._change.shape
        side = longest / max(rows, columns)
        size = round(columns * side), round(rows * side)
        return QSize(*(max(LEAST, length) for length in size))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = Appearance.theme_in_force()
        scale = ColorScale(theme.signed, -self._reach, self._reach)
        size = self._picture_size
        change = _strongest(self._change, size)
        image = cell_image(cell_colors(change, scale, theme), None)
        painter = QPainter(self)
        painter.setPen(self.palette().windowText().color())
        painter.drawText(0, self.fontMetrics().ascent(), self._title)
        rows, columns = change.shape
        drawn = Miniature(rows, columns, size, image, masked=False)
        corner = QPoint(0, self._above)
        paint_miniature(painter, corner, drawn, theme, self.font())
        painter.setPen(QColor(theme.border))
        painter.drawRect(0, self._above, size.width() - 1, size.height() - 1)
        painter.end()


def _strongest(change: Array, size: QSize) -> Array:
    """Return the largest change of each block of cells that shares a pixel."""
    blocks = change
    for axis, length in enumerate((size.height(), size.width())):
        count = blocks.shape[axis]
        if count > length:
            starts = np.arange(length) * count // length
            highs = np.maximum.reduceat(blocks, starts, axis=axis)
            lows = np.minimum.reduceat(blocks, starts, axis=axis)
            blocks = np.where(highs >= -lows, highs, lows)
    return blocks
