"""How the labels of rows and columns are drawn, as their lengths and the room allow."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import nlargest

from PySide6.QtGui import QFont, QFontMetricsF

from attnviewer.ui.views.step.heatmap.placed_label import (
    SMALLEST,
    SPACE,
    Turn,
    fitted,
    letter_height,
)

CLOSE = 3.0
"""Least space between two labels in the smallest letters."""
LONGEST_TURNED = 6.4
"""Largest length of turned labels, in line heights."""
FEWEST_LINES, SHORTEST = 2.5, 1.8
"""Room in which turned labels are not made smaller, and the smallest there is for
them; in line heights."""
TIGHT = 1.1
"""Distance of labels below or beside each other that they become smaller for, in line
heights; they are left out only where they would touch."""
SLANTED_FROM = 1.28
"""Distance from which labels at 45° do not touch, in line heights."""
DIAGONAL = math.sqrt(0.5)
ELIDED_FROM = 4.8
"""Columns this wide, in line heights, shorten long labels instead of turning all."""
_MEASURED = 1024
"""How many of the longest labels are measured to find the widest."""


@dataclass(frozen=True, slots=True)
class ColumnLayout:
    """How the labels of columns are drawn.

    Parameters
    ----------
    turn : int
        Degrees to the left.
    short : bool
        Whether the room is too small for the usual letters.
    highest : float
        The line height in which slanted labels are whole.
    """

    turn: Turn = 0
    short: bool = False
    highest: float = math.inf


class MeasuredLabels:
    """The labels of an axis, measured in its font.

    Parameters
    ----------
    labels : sequence of str
        The labels.
    font : QFont
        The font of labels that need not be smaller.

    Attributes
    ----------
    line : float
        The height of its lines.
    widest : float
        The width of the widest label.
    high : float
        How high their letters are, as a share of the line height.
    """

    def __init__(self, labels: Sequence[str], font: QFont) -> None:
        metrics = QFontMetricsF(font)
        longest = nlargest(_MEASURED, labels, len)
        self._font = font
        self._numeric = all(label.isdecimal() for label in labels)
        self.line = metrics.height()
        self.widest = max(map(metrics.horizontalAdvance, longest), default=0.0)
        self.high = letter_height(metrics, labels)

    def in_columns(self, pixels: float, room: float) -> ColumnLayout:
        """Return the layout in columns of a width, in a room of a height."""
        turn = self._turn(pixels, room)
        short = room < min(self.widest, FEWEST_LINES * self.line)
        highest = self._highest_line(room) if turn == 45 else math.inf
        # Whole words in small letters are better than the first of some turned.
        if turn and room < self._smallest_width <= pixels - CLOSE:
            turn = 0
        return ColumnLayout(turn, short, highest)

    def font_in_columns(self, pixels: float, layout: ColumnLayout) -> QFont:
        """Return the font of the labels of columns of a width."""
        if not layout.turn:
            fits = self._smallest_width + CLOSE <= pixels < self.widest + SPACE
            return fitted(self._font, 0.0) if fits else self._font
        if layout.short:
            return fitted(self._font, 0.0)
        close = pixels / (SLANTED_FROM if layout.turn == 45 else TIGHT)
        return fitted(self._font, min(close, layout.highest))

    def font_in_rows(self, pixels: float) -> QFont:
        """Return the font of the labels of rows of a height."""
        return fitted(self._font, pixels / TIGHT)

    @cached_property
    def _smallest_width(self) -> float:
        """The width of the widest label in the smallest letters."""
        return self.widest * self._smallest_line / self.line

    @cached_property
    def _smallest_line(self) -> float:
        return QFontMetricsF(fitted(self._font, 0.0)).height()

    def _turn(self, pixels: float, room: float) -> Turn:
        level = self.widest + SPACE <= pixels or pixels >= ELIDED_FROM * self.line
        if level or self._numeric:
            return 0
        if pixels >= SLANTED_FROM * self.line and room >= FEWEST_LINES * self.line:
            return 45
        # Too short to be read like that: fewer level labels are better.
        return 90 if room >= min(self.widest, SHORTEST * SMALLEST * self.line) else 0

    def _highest_line(self, room: float) -> float:
        """Return the line height in which slanted labels are whole in a room."""
        lines = self.widest / self.line
        if lines > LONGEST_TURNED:
            return math.inf
        highest = room / DIAGONAL / (lines + 1)
        # Of those that would be shortened even so, more is read in usual letters.
        return highest if highest >= self._smallest_line else math.inf
