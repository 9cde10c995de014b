"""The title of an axis: what its labels are of."""

from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QPointF
from PySide6.QtGui import QFont, QFontMetricsF, QPainter

from attnviewer.ui.views.step.heatmap.placed_label import SPACE, fitted

Edge = Literal["left", "top"]

CORNER = 1.9
"""Height of the titles of both axes in the corner, in lines of theirs: the letters of
one do not reach those of the other."""


@dataclass(slots=True)
class AxisTitle:
    """The title of an axis, above its labels or in the corner between both axes.

    Parameters
    ----------
    edge : str
        ``left`` for the rows, ``top`` for the columns.
    text : str
        The title.
    head_room : float
        How far above the rows it is, beside the title of the columns.
    in_corner : bool
        Whether it is between the row and the column labels, in small letters.
    """

    edge: Edge
    text: str = ""
    head_room: float = 0.0
    in_corner: bool = False

    def height(self, font: QFont) -> float:
        """Return the height that it takes above the labels of the columns."""
        return 0.0 if self.in_corner else QFontMetricsF(font).height() + SPACE / 2

    def least_height(self, font: QFont, overhang: float) -> float:
        """Return the height that both titles need in the corner, above a row label."""
        if not self.in_corner:
            return 0.0
        return CORNER * QFontMetricsF(fitted(font, 0.0)).height() + overhang

    def paint(
        self, painter: QPainter, font: QFont, width: float, first_label: float
    ) -> None:
        """Paint it on an axis whose first label has its top edge there."""
        if not self.in_corner:
            above = QFontMetricsF(font).ascent() - self.head_room
            painter.drawText(QPointF(0, above), self.text)
            return
        painter.setFont(fitted(font, 0.0))
        metrics = QFontMetricsF(painter.font())
        # That of the columns is at the top, that of the rows right above the first.
        right, baseline = -SPACE, metrics.ascent()
        if self.edge == "left":
            right = width - SPACE
            # A label of a low row is higher than that.
            above = min(0.0, first_label)
            highest = 2 * metrics.height() - self.head_room
            baseline = max(above, min(highest, 0.0)) - metrics.descent()
        left = right - metrics.horizontalAdvance(self.text)
        painter.drawText(QPointF(left, baseline), self.text)
