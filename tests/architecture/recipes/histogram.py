"""How often the numbers of a step occur."""

import numpy as np
from PySide6.QtCore import QRectF, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from attnviewer.ui.paint.step_content import DisplayedStep, content_of
from attnviewer.ui.state.selection import Position
from attnviewer.ui.state.workbench import Workbench

BINS, BAND = 10, 256
"""Bars, and rows that are read at a time."""


class Histogram(QWidget):
    """Counts the numbers of one head between the limits of its colours."""

    painted = Signal()

    def __init__(self, _workbench: Workbench, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("step.histogram")
        self.setAccessibleName(self.tr("Histogram"))
        self._color = QColor()
        self.counts = np.zeros(BINS, dtype=np.int64)

    def show_step(self, shown: DisplayedStep) -> None:
        """Count the numbers of a step."""
        content = content_of(shown)
        limits = content.scale.low, content.scale.high
        self.forget()
        for row in range(0, content.shape[0], BAND):
            numbers = content.matrix.window(slice(row, row + BAND))  # (≤ BAND, n)
            self.counts += np.histogram(numbers, BINS, limits)[0]
        self._color = QColor(shown.theme.accent)
        self.update()

    def forget(self) -> None:
        """Let go of the numbers."""
        self.counts = np.zeros(BINS, dtype=np.int64)

    def choose(self, cell: Position | None) -> None:
        """Mark nothing: a bar is of many cells."""

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        width, height = self.width() / BINS, self.height()
        for place, count in enumerate(self.counts):
            tall = height * count / max(1, self.counts.max())
            bar = QRectF(place * width, height - tall, width, tall)
            painter.fillRect(bar, self._color)
        painter.end()
        self.painted.emit()
