"""The arrangement of the tokens of a sentence in lines, like words of a text."""

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
    firsts : tuple of int
        The first chip of each line.
    line : int
        The height of one.
    """

    chips: tuple[QRect, ...]
    firsts: tuple[int, ...]
    line: int

    @property
    def lines(self) -> int:
        """The number of lines."""
        return len(self.firsts)

    def height_of(self, lines: int) -> int:
        """Return the height of so many lines."""
        return lines * self.line + max(lines - 1, 0) * BETWEEN

    def between(self, top: int, bottom: int) -> range:
        """Return the chips of the lines that two heights and those between meet."""
        pitch = self.line + BETWEEN
        edges = *self.firsts, len(self.chips)
        first, last = (
            min(max(place // pitch, 0), self.lines) for place in (top, bottom + pitch)
        )
        return range(edges[first], edges[last])

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
    chips, firsts, x = list[QRect](), list[int](), 0
    for width in widths:
        width = min(width, max(room, 1))
        if x and x + width > room:
            x = 0
        if not x:
            firsts.append(len(chips))
        top = (len(firsts) - 1) * (line + BETWEEN)
        chips.append(QRect(x, top, width, line))
        x += width + GAP
    return Arrangement(tuple(chips), tuple(firsts), line)
