"""Paints many numbers at once, as `QPainter.drawText` paints them one by one."""

from collections.abc import Iterable
from functools import lru_cache
from typing import TypeAlias

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QGlyphRun, QPainter, QRawFont

from attnviewer.ui.paint.text_glyphs import FIXED

Placed: TypeAlias = tuple[float, float, float, float, str]
"""Left, top, width and height of the rectangle of a text, and the text."""
CENTERED = int(Qt.AlignmentFlag.AlignCenter)
_RIGHT = int(Qt.AlignmentFlag.AlignRight)


class NumberFace:
    """A font in which a character always has the same glyph and advance.

    Laying out a text takes Qt ten times as long as painting its glyphs; in a fixed font
    without ligatures, numbers need no layout.

    Parameters
    ----------
    font : QFont
        The font; it stays as it was given.
    """

    def __init__(self, font: QFont) -> None:
        self.font = QFont(font)
        self._raw = QRawFont.fromFont(font)
        self._metrics = QFontMetricsF(font)
        self._height, self._ascent = self._metrics.height(), self._metrics.ascent()
        self._glyphs: dict[str, tuple[int, float]] = {}
        self._others: set[str] = set()

    def write(
        self, painter: QPainter, texts: Iterable[Placed], alignment: int = CENTERED
    ) -> None:
        """Paint texts in the colour of the pen.

        Parameters
        ----------
        painter : QPainter
            An active painter, from left to right.
        texts : iterable of tuple
            The texts and their rectangles.
        alignment : int
            Where they are in these: centred, or on the right at half their height.
        """
        share = 1.0 if alignment & _RIGHT else 0.5
        indices, places = [], []
        for left, top, width, height, text in texts:
            glyphs = self._glyphs_of(text)
            long = sum([advance for _, advance in glyphs])
            if not glyphs or long > width or self._height > height:
                # Qt finds other fonts' glyphs, and cuts off what is too long.
                painter.setFont(self.font)
                box = QRectF(left, top, width, height)
                painter.drawText(box, alignment, text)
                continue
            x = int((left + (width - long) * share) * FIXED) / FIXED
            y = int((top + (height - self._height) / 2) * FIXED) / FIXED
            baseline = y + self._ascent
            for index, advance in glyphs:
                if index:
                    indices.append(index)
                    places.append(_point(x, baseline))
                x += advance
        run = QGlyphRun()
        run.setRawFont(self._raw)
        run.setGlyphIndexes(indices)
        run.setPositions(places)
        painter.drawGlyphRun(QPointF(), run)

    def _glyphs_of(self, text: str) -> list[tuple[int, float]]:
        """Return index and advance of each glyph, 0 for a space; [] if Qt must tell."""
        known = self._glyphs
        try:
            return [known[character] for character in text]
        except KeyError:
            self._learn(text)
        return [] if self._others & set(text) else [known[c] for c in text]

    def _learn(self, text: str) -> None:
        for character in set(text) - self._glyphs.keys():
            (index,) = self._raw.glyphIndexesForString(character) or [0]
            if character.isspace():
                index = 0
            elif not index:  # another font stands in
                self._others.add(character)
                continue
            self._glyphs[character] = index, self._metrics.horizontalAdvance(character)


# A cache of QPointF itself would ask PySide6 for its docstring, which takes 20 ms.
@lru_cache(maxsize=2**14)
def _point(x: float, y: float) -> QPointF:
    """Return a point; most are those of the numbers that stood there before."""
    return QPointF(x, y)
