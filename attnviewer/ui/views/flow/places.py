"""The positions of everything in the strip."""

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect

from attnviewer.ui.views.flow.graph import Lane
from attnviewer.ui.views.flow.texts import Width

DRAWN_AT = 12
"""The text's size, in pixels, at which lengths are meant."""


@dataclass(frozen=True)
class Letters:
    """Sizes of texts in pixels.

    Parameters
    ----------
    em : int
        The size of the text.
    title_height, word_height : int
        Height of a line of a card's name, and of other words.
    title, word : callable
        Return the width of a card's name, and of other words.
    """

    em: int
    title_height: int
    word_height: int
    title: Width
    word: Width

    def pixels(self, length: float) -> int:
        """Return a length that was drawn for texts of the usual size."""
        return round(length * self.em / DRAWN_AT)


@dataclass(frozen=True, slots=True)
class CardPlace:
    """The place of a card in the strip.

    Parameters
    ----------
    whole : QRect
        Everything of it.
    frame : QRect
        The card.
    picture : QRect
        Its map; empty without room for one.
    title : QRect
        Its name.
    name : tuple of str
        The lines of its name.
    caption : QRect
        Its shape; may be empty.
    sheets : tuple of QRect
        The cards behind it, the rearmost first.
    """

    whole: QRect
    frame: QRect
    picture: QRect
    title: QRect
    name: tuple[str, ...]
    caption: QRect
    sheets: tuple[QRect, ...]

    @property
    def parts(self) -> tuple[QRect, ...]:
        """The painted part of it."""
        return self.frame, self.title, self.caption, *self.sheets


@dataclass(frozen=True, slots=True)
class WordsPlace:
    """Words on an edge or in a pill, and where they stand; without room, no lines."""

    rect: QRect
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """An edge as it is drawn: a bend, a straight part in its lane, and a bend.

    Parameters
    ----------
    lane : str or None
        Its hue.
    start, end : QPoint
        Its ends.
    level : int
        The y of the straight part.
    bends : tuple of two int
        The x at which the first bend ends and the second begins.
    rises : bool
        Whether it ends upwards, around a corner.
    arrow : bool
        Whether its end is an arrow.
    """

    lane: Lane | None
    start: QPoint
    end: QPoint
    level: int
    bends: tuple[int, int]
    rises: bool = False
    arrow: bool = False


@dataclass(frozen=True, slots=True)
class FlowLayout:
    """The places of everything in the strip.

    Parameters
    ----------
    cards : mapping of str to CardPlace
        By step.
    pills, words : mapping of str to WordsPlace
        Operations by the step that comes of them: in pills, and on edges.
    lines : tuple of Line
        The edges.
    names : float
        The size of the names' letters, as a share of the usual one.
    """

    cards: Mapping[str, CardPlace]
    pills: Mapping[str, WordsPlace]
    words: Mapping[str, WordsPlace]
    lines: tuple[Line, ...]
    names: float
