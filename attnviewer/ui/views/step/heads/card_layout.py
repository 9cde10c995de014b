"""Where the parts of a card are."""

from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtGui import QFont, QFontInfo, QFontMetrics

from attnviewer.ui.paint.fonts import fixed_font
from attnviewer.ui.paint.miniature.grid import Grid
from attnviewer.ui.views.step.heads.arrangement import largest_cells

PADDING = 8
TIGHT = 3
"""Around the picture of a card without a title."""
NUMBER = 0.16
"""Height of the numbers in large cells, as a share of the cell."""


def around_picture(metrics: QFontMetrics) -> QSize:
    """Return what a card with a title needs beside and above its picture."""
    line = metrics.height() + PADDING // 2
    return QSize(2 * PADDING, 2 * PADDING + line)


@dataclass(frozen=True, slots=True)
class CardLayout:
    """The layout of a card.

    Parameters
    ----------
    card : QRect
        The card.
    line : QRect
        The line above the picture.
    room : QRect
        The room for the picture.
    grid : Grid
        The grid of the cells in the picture.
    """

    card: QRect
    line: QRect
    room: QRect
    grid: Grid

    @property
    def corner(self) -> QPoint:
        """Upper left corner of the picture."""
        indent = (self.room.width() - self.grid.size.width()) // 2
        return self.room.topLeft() + QPoint(indent, 0)

    @property
    def picture(self) -> QRect:
        """Where the picture is."""
        return QRect(self.corner, self.grid.size)

    @property
    def foot(self) -> QRect:
        """What is below the picture."""
        foot = QRect(self.card)
        foot.setTop(self.corner.y() + self.grid.size.height())
        return foot

    def number_font(self, font: QFont) -> QFont:
        """Return the font of the numbers in the cells, for that of the card."""
        fixed = fixed_font()
        fixed.setPointSizeF(font.pointSizeF())
        cell = self.grid.cell_rect((0, 0)).size()
        grown = round(NUMBER * min(cell.width(), cell.height()))
        if grown > QFontInfo(fixed).pixelSize():
            fixed.setPixelSize(grown)
        return fixed


def lay_out(
    card: QRect,
    shape: tuple[int, int],
    metrics: QFontMetrics,
    names: QSize,
    *,
    titled: bool,
) -> CardLayout:
    """Lay a card out, with cells as large as there is room for.

    Parameters
    ----------
    card : QRect
        The card.
    shape : tuple of two int
        Rows and columns of its matrix.
    metrics : QFontMetrics
        Those of its texts.
    names : QSize
        What names of tokens take to the left of the picture and above it.
    titled : bool
        Whether there is a line above the picture.
    """
    height = metrics.height() + 2
    line = QRect(PADDING, PADDING - 2, card.width() - 2 * PADDING, height)
    if titled:
        above = around_picture(metrics).height() - PADDING + names.height()
        room = card.adjusted(PADDING + names.width(), above, -PADDING, -PADDING)
    else:
        room = card.adjusted(TIGHT, TIGHT, -TIGHT, -TIGHT)
    return CardLayout(card, line, room, largest_cells(shape, room.size()))
