"""Sizes in the strip, derived from the font."""

from dataclasses import dataclass

from PySide6.QtCore import QSize
from PySide6.QtGui import QFont, QFontInfo, QFontMetrics

from attnviewer.ui.paint.fonts import fixed_font

_NUMBERS = 0.77
"""Size of the numbers in cells, relative to the text."""
_CAPTIONS = 0.9
ROWS, FEW_ROWS = 7, 4
"""Rows of numbers that heatmaps have room for: normally, and in a low strip."""


@dataclass(frozen=True, slots=True)
class CellSizes:
    """Sizes of small heatmaps, from the font of their numbers.

    Parameters
    ----------
    room : QSize
        The largest size of a heatmap without numbers; numbers may make it wider.
    cell : QSize
        A cell with a number of one digit.
    largest_cell : int
        Side of a cell without a number where there are few of them.
    smallest : int
        The least width and height of a heatmap.
    widest : int
        The most width of a heatmap with numbers.
    """

    room: QSize
    cell: QSize
    largest_cell: int
    smallest: int
    widest: int

    @classmethod
    def of(cls, metrics: QFontMetrics, rows: int = ROWS) -> "CellSizes":
        """Return the sizes for a number of rows in a font."""
        line = metrics.height() + 2
        # From the digits, as line heights differ much between fonts.
        pair = 2 * metrics.horizontalAdvance("0") + 2
        return cls(
            room=QSize(10 * pair, rows * line),
            cell=QSize(pair * 4 // 3, line * 3 // 2),
            largest_cell=min(line, pair),
            smallest=2 * min(line, pair),
            widest=21 * pair,
        )


class Measures:
    """Fonts and heights of a card.

    Parameters
    ----------
    font : QFont
        The card's font.
    rows : int
        Rows of numbers that heatmaps have room for. Below the normal number, captions
        are left out; with none, heatmaps are, too.

    Attributes
    ----------
    title, caption, number : QFont
        Of the name above the heatmap, the shape below it, and the numbers in it.
    title_height, caption_height : int
        Heights of their lines.
    """

    def __init__(self, font: QFont, rows: int = ROWS) -> None:
        self.rows = rows
        self.low = low = rows < ROWS
        size = QFontInfo(font).pointSizeF()
        self.title = QFont(font)
        self.title.setBold(True)
        self.caption = QFont(font)
        self.caption.setPointSizeF(size * _CAPTIONS)
        self.number = fixed_font()
        self.number.setPointSizeF(size * _NUMBERS)
        self.title_height = QFontMetrics(self.title).height() + 4
        self.caption_height = 0 if low else QFontMetrics(self.caption).height() + 3
        self.numbers = QFontMetrics(self.number)
        self.cells = CellSizes.of(self.numbers, rows)
