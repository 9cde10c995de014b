"""The loss along a run, with a mark at the step that is shown."""

from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from attnviewer.compute import Array
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.widgets.small_plot import SmallPlot

LINE = 2.0
MARK = 1.5
LEAST_HEIGHT = 6
"""In lines of text."""
WIDEST = "0.0000"
"""The widest label of a loss, with its mark."""
LEAST_RANGE = 1e-9
"""The smallest range of the vertical axis."""


class LossCurve(SmallPlot):
    """Draws the loss before each step, and after the last."""

    HEIGHT = 9

    def __init__(self, parent: QWidget) -> None:
        super().__init__("training.curve", parent)
        self.setAccessibleName(self.tr("Loss"))
        self.setMinimumHeight(LEAST_HEIGHT * self.fontMetrics().lineSpacing())
        self._line = pg.PlotCurveItem()
        self._mark = pg.InfiniteLine(0, angle=90)
        self._dot = pg.ScatterPlotItem(size=8)
        for item in (self._mark, self._line, self._dot):
            self._box.addItem(item, ignoreBounds=True)
        self._losses: Array = np.empty(0)
        self._steps, self._index, self._log = 0, 0, True
        self._left.setLogMode(y=True)
        self._empty = QLabel(self.tr("Each step adds its loss to a curve here."), self)
        self._empty.setObjectName("training.empty")
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setWordWrap(True)
        QVBoxLayout(self).addWidget(self._empty)
        self._draw()

    @property
    def drawn(self) -> tuple[Array, Array]:
        """The steps and the heights of the line, shapes (steps taken + 1,) each."""
        steps, heights = self._line.getData()
        return steps, heights

    def show_theme(self, theme: Theme) -> None:
        """Draw in the colours of a theme."""
        self._line.setPen(pg.mkPen(theme.accent, width=LINE))
        self._mark.setPen(pg.mkPen(theme.control, width=MARK))
        self._dot.setPen(pg.mkPen(theme.surface, width=MARK))
        self._dot.setBrush(pg.mkBrush(theme.accent))
        font = self._style_axes(theme, theme.border)
        # One width for all numbers, or the curve would shift while it grows.
        self._left.setWidth(QFontMetrics(font).horizontalAdvance(WIDEST))

    def choose_log(self, *, log: bool) -> None:
        """Draw the losses on a logarithmic scale, or a linear one."""
        if log != self._log:
            self._log = log
            self._left.setLogMode(y=log)
            self._draw()

    def show_losses(self, losses: Sequence[float], index: int, steps: int) -> None:
        """Show the losses of a run.

        Parameters
        ----------
        losses : sequence of float
            The loss after each step that was taken, from before the first on.
        index : int
            The step that is shown.
        steps : int
            How many steps the run has.
        """
        heights = np.array(losses, np.float64)  # (steps taken + 1,)
        same = np.array_equal(heights, self._losses, equal_nan=True)
        if not same or (index, steps) != (self._index, self._steps):
            self._losses, self._index, self._steps = heights, index, steps
            self._draw()

    def _draw(self) -> None:
        heights = self._losses  # (steps taken + 1,)
        if self._log:
            positive = np.where(heights > 0, heights, np.nan)
            heights = np.log10(positive)
        at = self._index
        self._line.setData(np.arange(heights.size), heights, connect="finite")
        self._mark.setPos(at)
        for item in (self._mark, self._left, self._bottom):
            item.setVisible(heights.size > 0)
        self._empty.setVisible(not heights.size)
        if at < heights.size and np.isfinite(heights[at]):
            self._dot.setData([at], [heights[at]])
        else:
            self._dot.clear()
        self._box.setXRange(0, max(1, self._steps), padding=0.02)
        finite = heights[np.isfinite(heights)]
        if finite.size:
            low, high = float(finite.min()), float(finite.max())
            self._box.setYRange(low, max(high, low + LEAST_RANGE), padding=0.1)
