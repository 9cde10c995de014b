"""Fonts in the strip, derived from the window's."""

from functools import cache

from PySide6.QtGui import QFont, QFontInfo, QFontMetrics

from attnviewer.ui.paint.fonts import UNSHAPED, fixed_font
from attnviewer.ui.views.flow.places import Letters

_SMALLER = 11 / 12
"""Size of numbers and of words on edges, relative to the text: 11 px at 100 %."""


class Measures:
    """Fonts of the strip and the sizes of their letters.

    Parameters
    ----------
    font : QFont
        The strip's font.

    Attributes
    ----------
    title, word, number : QFont
        Of the names of steps, of all other words, and of the numbers in maps.
    digits : QFontMetrics
        The sizes of the numbers.
    letters : Letters
        The sizes that the layout asks for.
    """

    def __init__(self, font: QFont) -> None:
        size = QFontInfo(font).pointSizeF()
        self._size = size
        self.title = QFont(font)
        self.title.setBold(True)
        self.word = QFont(font)
        self.number = fixed_font()
        self.number.setStyleStrategy(UNSHAPED)
        for smaller in (self.word, self.number):
            smaller.setPointSizeF(size * _SMALLER)
        self.digits = QFontMetrics(self.number)
        title, word = QFontMetrics(self.title), QFontMetrics(self.word)
        self.letters = Letters(
            em=QFontInfo(font).pixelSize(),
            title_height=title.height(),
            word_height=word.height(),
            # Rounded up, as letters may end at a fraction of a pixel.
            title=cache(lambda text: title.horizontalAdvance(text) + 2),
            word=cache(lambda text: word.horizontalAdvance(text) + 2),
        )

    def title_of_size(self, share: float) -> QFont:
        """Return the font of names, as a share of its usual size."""
        font = QFont(self.title)
        font.setPointSizeF(self._size * share)
        return font
