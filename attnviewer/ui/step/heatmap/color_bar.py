"""Which colour stands for which number."""

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter
from PySide6.QtWidgets import QGraphicsWidget, QStyleOptionGraphicsItem, QWidget

from attnviewer.ui.colors import ColorScale
from attnviewer.ui.numbers import significant_number
from attnviewer.ui.step.heatmap.arrangement import BAR_WIDTH
from attnviewer.ui.theme import Theme

LABEL_GAP = 6.0
DIGITS = 4
"""Of the labels' numbers."""

_FLAGS = (
    Qt.AlignmentFlag.AlignVCenter
    | Qt.AlignmentFlag.AlignLeft
    | Qt.AlignmentFlag.AlignAbsolute
)


class ColorBar(QGraphicsWidget):
    """A colour scale from its low end at the bottom to its high end."""

    def __init__(self) -> None:
        super().__init__()
        self._scale: ColorScale | None = None
        self._image = QImage()
        self._ink = QColor()

    def set_scale(self, scale: ColorScale, theme: Theme) -> None:
        """Show another scale."""
        self._ink = QColor(theme.muted)
        if self._scale is None or scale.name != self._scale.name:
            upward = np.ascontiguousarray(scale.table()[::-1])  # (256, 3)
            # The copy owns its pixels; the array may go.
            self._image = QImage(
                upward.data, 1, len(upward), 3, QImage.Format.Format_RGB888
            ).copy()
        self._scale = scale
        self.update()

    def ticks(self) -> list[tuple[float, str]]:
        """Return the labelled places, as shares of the height, and their labels."""
        if self._scale is None:
            return []
        low, high = self._scale.low, self._scale.high
        places = {0.0: low, 0.5: low / 2 + high / 2, 1.0: high}
        return [(at, significant_number(v, DIGITS)) for at, v in places.items()]

    def label_extent(self) -> float:
        """Return the room that the labels need."""
        metrics = QFontMetricsF(self.font())
        widths = (metrics.horizontalAdvance(text) for _, text in self.ticks())
        return LABEL_GAP + max(widths, default=0.0)

    def boundingRect(self) -> QRectF:
        # The outer labels are centred on the ends.
        return super().boundingRect().adjusted(0, -10, 0, 10)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionGraphicsItem,
        widget: QWidget | None = None,
    ) -> None:
        bar = QRectF(0, 0, BAR_WIDTH, self.size().height())
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(bar, self._image)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, on=False)
        painter.setPen(self._ink)
        painter.setFont(self.font())
        metrics = QFontMetricsF(self.font())
        line = metrics.height()
        for share, text in self.ticks():
            if share == 0.5 and bar.height() < 3 * line:
                continue
            middle = bar.bottom() - share * bar.height()
            # The outer labels stay beside the bar.
            top = min(max(middle - line / 2, -line / 4), bar.bottom() - line * 3 / 4)
            place = QRectF(BAR_WIDTH + LABEL_GAP, top, 200, line)
            painter.drawText(place, _FLAGS, text)
