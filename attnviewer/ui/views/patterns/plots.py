"""Attention by distance, and effective keys by position, as small plots."""

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QSize
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QWidget

from attnviewer.compute import Array
from attnviewer.compute.patterns import HeadPatterns, Marginals
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.views.patterns.texts import percent
from attnviewer.ui.widgets.small_plot import SmallPlot
from attnviewer.ui.widgets.tool_tips import plain_tip

WIDEST = "0,000"
"""The widest label of the vertical axis, with its mark."""
LINE = 1.5
MOST_LABELS = 10
"""Distances that are written below the bars without touching."""
MOST_PARTS = 256
"""A longer line is drawn by the smallest and largest number of so many parts."""


class Plot(SmallPlot):
    """A plot whose axes have titles.

    Parameters
    ----------
    name : str
        The object name.
    titles : tuple of str
        What the axes are: across, upwards.
    tip : str
        What the numbers are.
    parent : QWidget
        The Qt parent.
    """

    HEIGHT = 8

    def __init__(
        self, name: str, titles: tuple[str, str], tip: str, parent: QWidget
    ) -> None:
        super().__init__(name, parent)
        self.setAccessibleName(f"{titles[1]} / {titles[0]}")
        self.setToolTip(plain_tip(tip))
        self._titles = titles
        for axis in (self._left, self._bottom):
            axis.enableAutoSIPrefix(False)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def _style(self, theme: Theme) -> None:
        """Take the colours of a theme, and its text size."""
        font = self._style_axes(theme, theme.control)
        metrics = QFontMetrics(font)
        style = {"color": theme.muted, "font-size": f"{font.pointSizeF()}pt"}
        axes = self._bottom, self._left
        for axis, title in zip(axes, self._titles, strict=True):
            axis.setStyle(maxTickLevel=0)
            axis.setLabel(title, **style)
        # One size for all labels, or the plot would shift while numbers change.
        self._left.setWidth(metrics.horizontalAdvance(WIDEST) + metrics.height() + 8)
        self._bottom.setHeight(2 * metrics.height() + 8)


class DistancePlot(Plot):
    """The share of attention at each distance, in bins that double."""

    def __init__(self, titles: tuple[str, str], tip: str, parent: QWidget) -> None:
        super().__init__("patterns.distances", titles, tip, parent)
        self._bars = pg.BarGraphItem(x=[], height=[], width=0.8)
        self._box.addItem(self._bars, ignoreBounds=True)

    @property
    def heights(self) -> list[float]:
        """The heights of the bars, in per cent."""
        return [float(height) for height in self._bars.opts["height"]]

    def show_patterns(
        self, found: HeadPatterns, theme: Theme, *, outdated: bool
    ) -> None:
        """Show those of a head."""
        self._style(theme)
        starts, shares = found.marginals.by_distance()
        places = np.arange(len(shares))
        color = theme.empty if outdated else theme.accent
        self._bars.setOpts(
            x=places,
            height=100 * shares,
            pen=pg.mkPen(None),
            brush=pg.mkBrush(color),
        )
        labels = [(n, _short(start)) for n, start in enumerate(starts)]
        self._bottom.setTicks([labels[:: -(-len(labels) // MOST_LABELS) or 1]])
        most = 100 * float(shares.max(initial=0.0)) or 1.0
        self._box.setXRange(-0.6, len(shares) - 0.4, padding=0)
        self._box.setYRange(0, 1.1 * most, padding=0)
        largest = int(shares.argmax())
        self.setAccessibleDescription(
            self.tr("Largest share: {share}, from distance {start:,} on").format(
                start=starts[largest], share=percent(float(shares[largest]))
            )
        )


class KeysPlot(Plot):
    """The effective keys of each query, by its position."""

    def __init__(self, titles: tuple[str, str], tip: str, parent: QWidget) -> None:
        super().__init__("patterns.effective", titles, tip, parent)
        self._line = pg.PlotCurveItem()
        self._box.addItem(self._line, ignoreBounds=True)

    @property
    def drawn(self) -> tuple[Array, Array]:
        """The positions and heights of the line."""
        places, heights = self._line.getData()
        return places, heights

    def show_patterns(
        self, found: HeadPatterns, theme: Theme, *, outdated: bool
    ) -> None:
        """Show those of a head."""
        self._style(theme)
        places, heights = _drawn(found.marginals)
        color = theme.empty if outdated else theme.accent
        self._line.setPen(pg.mkPen(color, width=LINE))
        self._line.setData(places, heights, connect="finite")
        finite = heights[np.isfinite(heights)]
        most = float(finite.max(initial=1.0))
        last = max(1, len(found.marginals.effective_keys) - 1)
        self._box.setXRange(0, last, padding=0.02)
        self._box.setYRange(0, 1.1 * most, padding=0)
        self.setAccessibleDescription(
            self.tr("Up to {most:.1f} effective keys").format(most=most)
        )


def _drawn(marginals: Marginals) -> tuple[Array, Array]:
    """Return positions and effective keys, without what no pixel would show."""
    keys = marginals.effective_keys  # (n_q,)
    if keys.size <= 2 * MOST_PARTS:
        return np.arange(keys.size, dtype=np.float64), keys
    width = -(-keys.size // MOST_PARTS)
    starts = np.arange(0, keys.size, width)  # (parts,)
    ends = np.fmin.reduceat(keys, starts), np.fmax.reduceat(keys, starts)
    return np.repeat(starts, 2).astype(np.float64), np.stack(ends, axis=1).ravel()


def _short(number: int) -> str:
    """Return a power of two in few characters."""
    return f"{number // 1024}k" if number >= 1024 else str(number)
