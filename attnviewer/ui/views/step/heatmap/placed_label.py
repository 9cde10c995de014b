"""A label of an axis, as it is drawn."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QFont, QFontInfo, QFontMetricsF, QPolygonF, QTransform

Turn = Literal[0, 45, 90]
"""Degrees to the left."""
SPACE = 6.0
"""Space between a label and the cells, and least space between two labels."""
SMALLEST = 0.75
"""Size that narrow columns shrink labels to before they leave some out."""
SMALLEST_PIXELS = 9
_FEW = 64
"""The most labels whose letters are measured."""


@dataclass(frozen=True, slots=True)
class PlacedLabel:
    """A label to be drawn, in coordinates of the axis.

    Parameters
    ----------
    index : int
        Its row or column.
    text : str
        The label, shortened where it must be.
    start : QPointF
        The middle of its left edge, before it is turned around that point.
    size : QSizeF
        Length and height of the text.
    turn : int
        Degrees to the left.
    """

    index: int
    text: str
    start: QPointF
    size: QSizeF
    turn: Turn

    @property
    def place(self) -> QTransform:
        """Maps the text, with its start at the origin, to the axis."""
        return QTransform.fromTranslate(self.start.x(), self.start.y()).rotate(
            -self.turn
        )

    @property
    def text_rect(self) -> QRectF:
        """The text's rectangle before it is turned, with its start at the origin."""
        return QRectF(QPointF(0, -self.size.height() / 2), self.size)

    @property
    def outline(self) -> QPolygonF:
        """The text's rectangle as it lies in the axis."""
        return self.place.map(QPolygonF(self.text_rect))

    @property
    def rect(self) -> QRectF:
        """The smallest upright rectangle around it."""
        return self.outline.boundingRect()


def round_stride(least: float) -> int:
    """Return the smallest of 1, 2, 5, 10, 20, 50, … that is at least `least`."""
    if least <= 1:
        return 1
    power = int(10 ** math.floor(math.log10(least)))
    return next(k * power for k in (1, 2, 5, 10) if k * power >= least)


def fitted(font: QFont, height: float) -> QFont:
    """Return a font, smaller if its lines are higher than that."""
    font = QFont(font)
    pixels = QFontInfo(font).pixelSize()
    smallest = min(pixels, max(SMALLEST_PIXELS, math.ceil(SMALLEST * pixels)))
    while QFontMetricsF(font).height() > height and pixels > smallest:
        pixels -= 1
        font.setPixelSize(pixels)
    return font


def letter_height(metrics: QFontMetricsF, labels: Sequence[str]) -> float:
    """Return how high the letters of few labels are, as a share of their lines.

    Labels below each other may be so close: above and below the letters, lines have
    empty space.
    """
    if len(labels) > _FEW:
        return 1.0
    inked = [metrics.tightBoundingRect(label) for label in labels if label.strip()]
    high = max((rect.bottom() for rect in inked), default=0.0)
    high -= min((rect.top() for rect in inked), default=0.0)
    return min(1.0, (high + 1.0) / metrics.height())
