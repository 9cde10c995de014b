"""The arrangement of the cards."""

from dataclasses import dataclass

from PySide6.QtCore import QRect, QSize

from attnviewer.ui.paint.miniature.grid import Grid

GAP = 12
"""Between cards, and around them all."""
CLOSE = 3
"""Between the small cards of a wall."""
FLATTEST = 0.5
"""Height of a picture of many columns and few rows, as a share of its width."""
HIGHEST = 1.5
EVEN_FROM = 4
"""Cells of so many pixels are all of one size; unequal ones would catch the eye."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The layout of cards in rows and columns.

    Parameters
    ----------
    columns : int
        Cards side by side.
    card : QSize
        Size of each.
    gap : int
        Between them.
    left, top : int
        Room before the first column and above the first row.
    """

    columns: int
    card: QSize
    gap: int
    left: int
    top: int

    def card_rect(self, number: int) -> QRect:
        """Return the place of a card."""
        row, column = divmod(number, self.columns)
        x = self.left + column * (self.card.width() + self.gap)
        y = self.top + row * (self.card.height() + self.gap)
        return QRect(x, y, self.card.width(), self.card.height())

    def extent(self, count: int) -> QSize:
        """Return the room that so many cards need."""
        rows = -(-count // self.columns)
        return QSize(
            self.left + self.columns * (self.card.width() + self.gap),
            self.top + rows * (self.card.height() + self.gap),
        )


def aspect_of(shape: tuple[int, int]) -> float:
    """Return the height of a picture of so many rows and columns, over its width."""
    rows, columns = shape
    return min(HIGHEST, max(FLATTEST, rows / columns))


def largest_cells(shape: tuple[int, int], room: QSize) -> Grid:
    """Return the largest cells of a matrix that there is room for."""
    aspect = aspect_of(shape)
    across = min(float(room.width()), room.height() / aspect)
    height, width = (
        side // count * count if side >= EVEN_FROM * count else max(1, int(side))
        for side, count in zip((int(across * aspect), int(across)), shape, strict=True)
    )
    return Grid(*shape, QSize(width, height))


def grid(
    count: int, room: QSize, aspect: float, around: QSize, smallest: int
) -> Layout:
    """Lay cards out so that their pictures are as large as can be.

    In as many columns as lets all be in sight, in the middle of the room. Where the
    pictures would be too small for that, so many columns that they are not, and the
    cards scroll.

    Parameters
    ----------
    count : int
        How many cards.
    room : QSize
        The room.
    aspect : float
        Height of a picture over its width.
    around : QSize
        What a card needs beside and above its picture.
    smallest : int
        Smallest width of a picture.
    """

    def width(columns: int) -> float:
        rows = -(-count // columns)
        across = (room.width() - GAP) / columns - GAP - around.width()
        down = (room.height() - GAP) / rows - GAP - around.height()
        return min(across, down / aspect)

    best = max(range(1, count + 1), key=width)
    if width(best) < smallest:
        step = smallest + around.width() + GAP
        best = min(count, max(1, (room.width() - GAP) // step))
        across = (room.width() - GAP) // best - GAP
        needed = round(max(across - around.width(), 1) * aspect) + around.height()
        return Layout(best, QSize(max(across, 1), max(needed, 1)), GAP, GAP, GAP)
    picture = int(width(best))
    card = QSize(picture, int(picture * aspect)) + around
    left, top = (
        (there_is - number * (side + GAP) + GAP) // 2
        for there_is, number, side in (
            (room.width(), best, card.width()),
            (room.height(), -(-count // best), card.height()),
        )
    )
    return Layout(best, card, GAP, left, top)


def wall(
    shape: tuple[int, int],
    room: QSize,
    aspect: float,
    headings: QSize,
    foot: QSize,
    smallest: int,
) -> Layout:
    """Lay small cards out, layers down and heads across.

    Parameters
    ----------
    shape : tuple of two int
        Layers and heads.
    room : QSize
        The room.
    aspect : float
        Height of a picture over its width.
    headings : QSize
        Width of the names of layers, height of those of heads.
    foot : QSize
        What a number below the picture needs; narrower cards have none.
    smallest : int
        Smallest width of a card; the wall scrolls where it has no room for that.
    """
    layers, heads = shape
    left, top = GAP + headings.width(), GAP + headings.height()
    across = (room.width() - left - GAP) // heads - CLOSE
    down = (room.height() - top - GAP) // layers - CLOSE
    below = foot.height()
    if min(across, int((down - below) / aspect)) < foot.width():
        below = 0
    width = max(smallest, min(across, int((down - below) / aspect)))
    card = QSize(width, round(width * aspect) + below)
    return Layout(heads, card, CLOSE, left, top)
