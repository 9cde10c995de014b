"""A small plot in a panel: two axes, and a box for what is drawn."""

import math
from typing import ClassVar

import pyqtgraph as pg
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QWheelEvent
from PySide6.QtWidgets import QWidget

from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.widgets.log_axis import LogAxis

SMALL = 0.85
"""The size of the labels, as a share of that of other texts."""

LAST = "00000"
"""The widest label at the end of the lower axis."""


class SmallPlot(pg.GraphicsView):
    """Draws into `_box`, beside the axes `_left` and `_bottom`.

    It ignores the wheel, which scrolls the panel. It is not a PlotWidget of pyqtgraph,
    whose menus have no parent and outlive it.

    Parameters
    ----------
    name : str
        The object name.
    parent : QWidget
        The Qt parent.
    """

    HEIGHT: ClassVar[int]
    """In lines of text."""

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        for widget in (self, self.viewport()):
            widget.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._box = pg.ViewBox(enableMenu=False, enableMouse=False)
        self._left, self._bottom = LogAxis("left"), pg.AxisItem("bottom")
        self._layout = layout = pg.GraphicsLayout()
        layout.setSpacing(0)
        for axis, row, column in ((self._left, 0, 0), (self._bottom, 1, 1)):
            axis.linkToView(self._box)
            layout.addItem(axis, row, column)
        layout.addItem(self._box, 0, 1)
        self.setCentralItem(layout)

    def sizeHint(self) -> QSize:
        return QSize(0, self.HEIGHT * self.fontMetrics().lineSpacing())

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def _style_axes(self, theme: Theme, line: str) -> QFont:
        """Give the axes the colours of a theme and return the font of their labels."""
        self.setBackground(theme.surface)
        font = QFont(self.font())
        font.setPointSizeF(max(1.0, SMALL * font.pointSizeF()))
        for axis in (self._left, self._bottom):
            axis.setPen(pg.mkPen(line))
            axis.setTextPen(pg.mkPen(theme.muted))
            axis.setTickFont(font)
            axis.setStyle(tickLength=-4, tickTextOffset=4)
        # A label at the end reaches half its width beyond it.
        beyond = math.ceil(QFontMetrics(font).horizontalAdvance(LAST) / 2)
        self._bottom.setStyle(hideOverlappingLabels=beyond)
        self._layout.setContentsMargins(0, 4, beyond, 0)
        return font
