"""The loss along a run, with a mark at the step that is shown."""

from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QWidget

from attnviewer.compute import Array
from attnviewer.ui.paint.theme import Theme

LINE = 2.0
MARK = 1.5
LEAST_HEIGHT, HEIGHT = 6, 9
"""In lines of text."""
SMALL = 0.85
"""The size of the labels beside that of other texts."""


class LossCurve(pg.PlotWidget):
    """Draws the loss before each step, and after the last.

    The mouse does not move it: a wheel scrolls the panel.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, enableMenu=False)
        self.setObjectName("training.curve")
        self.setAccessibleName(self.tr("Loss"))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMouseEnabled(x=False, y=False)
        self.hideButtons()
        self.setMinimumHeight(LEAST_HEIGHT * self.fontMetrics().lineSpacing())
        self._line = self.plot()
        self._mark = pg.InfiniteLine(0, angle=90)
        self._dot = pg.ScatterPlotItem(size=8)
        self.addItem(self._mark, ignoreBounds=True)
        self.addItem(self._dot, ignoreBounds=True)
        self._losses: Array = np.empty(0)
        self._steps, self._index, self._log = 0, 0, True
        self.setLogMode(x=False, y=True)

    def sizeHint(self) -> QSize:
        return QSize(0, HEIGHT * self.fontMetrics().lineSpacing())

    def wheelEvent(self, event: object) -> None:
        event.ignore()  # type: ignore[attr-defined]

    def show_theme(self, theme: Theme) -> None:
        """Draw in the colours of a theme."""
        self.setBackground(theme.surface)
        self._line.setPen(pg.mkPen(theme.accent, width=LINE))
        self._mark.setPen(pg.mkPen(theme.control, width=MARK))
        self._dot.setPen(pg.mkPen(theme.surface, width=MARK))
        self._dot.setBrush(pg.mkBrush(theme.accent))
        font = self.font()
        font.setPointSizeF(max(1.0, SMALL * font.pointSizeF()))
        for side in ("left", "bottom"):
            axis = self.getAxis(side)
            axis.setPen(pg.mkPen(theme.border))
            axis.setTextPen(pg.mkPen(theme.muted))
            axis.setTickFont(font)
            axis.setStyle(tickLength=-4, tickTextOffset=4)

    def choose_log(self, *, log: bool) -> None:
        """Draw the losses on a logarithmic scale, or a linear one."""
        if log != self._log:
            self._log = log
            self.setLogMode(x=False, y=log)
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
        if len(losses) != self._losses.size or index != self._index or steps != (
            self._steps
        ):
            self._losses = np.array(losses, np.float64)  # (steps taken + 1,)
            self._index, self._steps = index, steps
            self._draw()

    def _draw(self) -> None:
        drawn = self._losses  # (steps taken + 1,)
        if self._log:
            drawn = np.where(drawn > 0, drawn, np.nan)
        self._line.setData(np.arange(drawn.size), drawn, connect="finite")
        at = self._index
        self._mark.setPos(at)
        seen = at < drawn.size and np.isfinite(drawn[at])
        height = drawn[at] if seen else np.nan
        with np.errstate(invalid="ignore"):
            self._dot.setData([at], [np.log10(height) if self._log else height])
        self._dot.setVisible(bool(seen))
        self.setXRange(0, max(1, self._steps), padding=0.02)
        finite = drawn[np.isfinite(drawn)]
        if finite.size:
            low, high = float(finite.min()), float(finite.max())
            if self._log:
                low, high = np.log10(low), np.log10(high)
            self.setYRange(low, max(high, low + 1e-9), padding=0.1)
