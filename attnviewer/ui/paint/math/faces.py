"""Fonts of formulas, with their measures cached."""

from functools import lru_cache

from PySide6.QtGui import QFont, QFontInfo, QFontMetricsF

from attnviewer.ui.paint.fonts import UNSHAPED, fixed_font, scaled
from attnviewer.ui.paint.math.nodes import Atom

SCRIPT = (1.0, 0.7, 0.6)
"""Sizes of text, of scripts, and of scripts of scripts."""
_MOST_KEPT = 4096
_FLAT = frozenset(
    "0123456789.+−-=·∞ abcdehiklmnorstuvwxzΣστθABCDEFGHIKLMNOPRSTUVWXYZᵢₖ"
)
"""Characters with nothing below the baseline."""
_LAST_KNOWN = "\u058f"
"""Up to here, and among signs, fonts have letters of usual heights."""
_SIGNS = range(0x2000, 0x2BFF)

Extent = tuple[float, float, float]
"""Width, ascent and descent of a text."""


class Face:
    """One font in one size.

    Attributes
    ----------
    font : QFont
        The font.
    ascent, descent : float
        Extent of its letters above and below the baseline.
    """

    __slots__ = "_advance", "_kept", "_metrics", "ascent", "descent", "font"

    def __init__(self, font: QFont) -> None:
        self.font = font
        self._metrics = metrics = QFontMetricsF(font)
        letters = metrics.tightBoundingRect("d1Q(pg)")
        self.ascent, self.descent = -letters.top(), max(letters.bottom(), 0.0)
        self._kept: dict[str, Extent] = {}
        widths = {metrics.horizontalAdvance(letter) for letter in "0123456789.e-−iW"}
        self._advance = widths.pop() if len(widths) == 1 else None

    def extent(self, text: str) -> Extent:
        """Return width, ascent and descent of a text."""
        found = self._kept.get(text)
        if found is None:
            found = self._measured(text)
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            self._kept[text] = found
        return found

    def _measured(self, text: str) -> Extent:
        if self._advance is not None and text.replace("−", "-").isascii():
            width = self._advance * len(text)
        else:
            width = self._metrics.horizontalAdvance(text)
        flat = not set(text) - _FLAT
        ascent, descent = self.ascent, 0.0 if flat else self.descent
        if not text.isascii() and any(map(_is_unusual, text)):
            # The font that stands in may be higher.
            letters = self._metrics.tightBoundingRect(text)
            ascent = max(ascent, -letters.top())
            descent = max(descent, letters.bottom())
        return width, ascent, descent


def _is_unusual(letter: str) -> bool:
    return letter > _LAST_KNOWN and ord(letter) not in _SIGNS


class Faces:
    """The faces of one text size.

    Attributes
    ----------
    em : float
        The font size, in pixels.
    axis : float
        Height of the middle of signs such as + above the baseline.
    rule : float
        Thickness of fraction bars.
    """

    def __init__(self, font: QFont) -> None:
        self._font = font
        self._faces: dict[tuple[int, bool, bool, bool], Face] = {}
        self.em = float(QFontInfo(font).pixelSize())
        minus = QFontMetricsF(font).tightBoundingRect("−")
        self.axis = -minus.center().y()
        self.rule = max(1.0, 0.1 * self.em)

    def enlarged(self, factor: float) -> "Faces":
        """Return the faces of a larger size, such as for big signs."""
        return faces_of(scaled(self._font, factor))

    def size(self, level: int) -> float:
        """Return the font size at a depth of scripts, in pixels."""
        return self.em * SCRIPT[min(level, len(SCRIPT) - 1)]

    def face(self, atom: Atom, level: int) -> Face:
        """Return the face of an atom at a depth of scripts."""
        key = level, atom.bold, atom.italic, atom.mono
        found = self._faces.get(key)
        if found is None:
            found = self._faces[key] = self._made(*key)
        return found

    def _made(self, level: int, bold: bool, italic: bool, mono: bool) -> Face:
        font = QFont(self._font)
        if mono:
            fixed = fixed_font()
            font.setFamilies(fixed.families())
            font.setStyleHint(fixed.styleHint(), UNSHAPED)
        if bold:
            font.setWeight(QFont.Weight.Bold)
        font.setItalic(italic)
        return Face(scaled(font, SCRIPT[min(level, len(SCRIPT) - 1)]))


@lru_cache(maxsize=16)
def _faces(_key: str, font: QFont) -> Faces:
    return Faces(font)


def faces_of(font: QFont) -> Faces:
    """Return the faces for the font of a widget."""
    return _faces(font.key(), font)
