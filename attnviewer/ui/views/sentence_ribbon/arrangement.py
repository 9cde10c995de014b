"""Where the tokens of a sentence lie: in lines, as words of a text."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRect, QSize

GAP, BETWEEN = 6, 8
"""Between chips, and between lines."""


@dataclass(frozen=True, slots=True)
class Arrangement:
    """The places of chips, and the room that they need.

    Parameters
    ----------
    chips : tuple of QRect
        The place of each, its weight beneath included.
    lines : int
        How many lines there are.
    line : int
        The height of one.
    """

    chips: tuple[QRect, ...]
    lines: int
    line: int

    def height_of(self, lines: int) -> int:
        """Return the height of so many lines."""
        return lines * self.line + max(lines - 1, 0) * BETWEEN

    @property
    def size(self) -> QSize:
        """The room that all need."""
        right = max((chip.right() + 1 for chip in self.chips), default=0)
        return QSize(right, self.height_of(self.lines))


def padding_for(
    words: Sequence[int], least: int, room: int, paddings: Sequence[int]
) -> int:
    """Return the largest padding with which all chips fit in one line.

    The largest of all if none does: words in several lines have the usual look.

    Parameters
    ----------
    words : sequence of int
        The width of each word.
    least : int
        The least width of a chip.
    room : int
        The width of a line.
    paddings : sequence of int
        Paddings on either side of a word, the largest first.
    """
    gaps = GAP * max(len(words) - 1, 0)
    for padding in paddings:
        if gaps + sum(max(word + 2 * padding, least) for word in words) <= room:
            return padding
    return paddings[0]


def arrange(widths: Sequence[int], room: int, line: int) -> Arrangement:
    """Lay chips out in lines; one that is wider than a line is cut.

    Parameters
    ----------
    widths : sequence of int
        The width of each chip.
    room : int
        The width of a line.
    line : int
        The height of a line.
    """
    chips, x, row = [], 0, 0
    for width in widths:
        width = min(width, max(room, 1))
        if x and x + width > room:
            x, row = 0, row + 1
        chips.append(QRect(x, row * (line + BETWEEN), width, line))
        x += width + GAP
    return Arrangement(tuple(chips), row + 1 if chips else 0, line)
