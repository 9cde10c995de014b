"""Sizes and distances of a picture, from the font of the window."""

import math
from collections.abc import Iterable
from copy import copy
from functools import cached_property, lru_cache

import numpy as np
from PySide6.QtGui import QFont, QFontInfo, QFontMetricsF, QGlyphRun

from attnviewer.ui.paint.fonts import enlargement, fixed_font
from attnviewer.ui.paint.math.faces import Face as MeasuredFace
from attnviewer.ui.paint.number_face import NumberFace
from attnviewer.ui.paint.text_glyphs import text_glyphs
from attnviewer.ui.views.step.how.drawing import Face

_USUAL = 13.0
"""The height of the font, in pixels, that distances are stated for."""
SMALLEST = 11.0
"""The least height of a number's font at the usual text size; smaller ones are left
out."""
LARGEST = 24.0
"""The largest font height of numbers in cells of the usual size."""
SHARE = 0.32
"""The height of a number's font, as a share of its cell."""
HIGHEST = 0.75
"""The same at most, where cells are so small that lines of numbers would touch."""
LOW, TIGHT = 270.0, 0.3
"""The height below which a picture is low, and the share of its margins then left."""
LOWER, SMALLEST_SCALE = 240.0, 0.7
"""The height below which its texts get smaller, and how small they get at most, as a
share of the window's."""
_SIZES = 6
"""How many sizes of texts are tried down to the usual one."""
_PRINTED_CELL, _PRINTED_NUMBER = 7 / 12, 5 / 6
"""How small cells and their numbers may be in print, as a share of those on screen."""
BESIDE, CLOSE, CLOSEST = 1 / 6, 9.0, 4.0
"""The distance between numbers of neighbouring cells: as a share of a cell, the least
in small ones, which a frame must not touch, and in those with no numbers otherwise."""


class Measures:
    """Widths of texts, and distances that follow the size of the text.

    Parameters
    ----------
    font : QFont
        The font of the window.
    numbers : float
        How large the numbers in cells are, as a multiple of the usual.
    height : float
        The height of the picture, in pixels. Large texts are smaller in a low one, but
        never smaller than the usual ones.
    controls : bool
        Whether widgets lie over the picture, such as the temperature's.
    printed : bool
        Whether it is for print: cells and numbers may be smaller, and labels of columns
        that are too long stand upright, as nothing else tells them.

    Attributes
    ----------
    low : bool
        Whether the picture does without captions.
    """

    def __init__(
        self,
        font: QFont,
        numbers: float = 1.0,
        height: float = math.inf,
        *,
        controls: bool = True,
        printed: bool = False,
    ) -> None:
        self.controls = controls
        self.printed = printed
        self._numbers = numbers
        self.font = QFont(font)
        self.em = float(QFontInfo(font).pixelSize())
        scale = self.em / _USUAL
        self.low = height < LOW * scale
        smallest = min(scale, max(1.0, SMALLEST_SCALE * scale))
        if height < math.inf:
            scale *= enlargement(height, QFontMetricsF(font).height())
        self.scale = min(scale, max(smallest, height / LOWER))

    @cached_property
    def down_to_usual(self) -> "tuple[Measures, ...]":
        """These measures, and smaller ones down to the usual size of texts."""
        usual = min(self.scale, 1.0)
        scales = np.linspace(self.scale, usual, _SIZES if self.scale > usual else 1)
        return self, *(self._scaled(float(scale)) for scale in scales[1:])

    def _scaled(self, scale: float) -> "Measures":
        scaled = copy(self)
        scaled.scale = scale
        return scaled

    def without_captions(self) -> "Measures":
        """Return these measures as in a low picture."""
        low = copy(self)
        low.low = True
        return low

    def __call__(self, pixels: float) -> float:
        """Return a distance that is stated for the usual text size."""
        return pixels * self.scale

    def least_cell(self, pixels: float) -> float:
        """Return the least size of cells, which is stated for a screen."""
        return pixels * _PRINTED_CELL if self.printed else pixels

    def margin(self, pixels: float) -> float:
        """Return a distance that gets smaller in a low picture."""
        return self(TIGHT * pixels if self.low else pixels)

    def caption(self, pixels: float) -> float:
        """Return the height of texts that a low picture leaves out."""
        return 0.0 if self.low else self(pixels)

    def width(self, text: str, size: float, face: Face = "text") -> float:
        """Return the width of a text in bold, the widest it can be."""
        return width_in(self.font, text, size, face, bold=True)

    def number_widths(self, texts: Iterable[str], size: float) -> list[float]:
        """Return the widths of numbers in bold."""
        advances = _advances(self.font.family(), size, True)
        return [sum(map(advances.__getitem__, text)) for text in texts]

    def widest(self, texts: tuple[str, ...], size: float) -> float:
        """Return the width of the widest of some labels."""
        return _widest(self.font.family(), size, texts)

    def number_size(
        self,
        longest: int,
        cell: float,
        smaller: float = 1.0,
        closest: float = CLOSEST,
    ) -> float:
        """Return the font height at which all numbers fit their cells; 0 for none.

        Parameters
        ----------
        longest : int
            The most characters of a number.
        cell : float
            The side of a cell, in pixels.
        smaller : float
            The share that a large text size may shrink to, at most to the usual one.
        closest : float
            The least distance of numbers of neighbouring cells.
        """
        if not longest:
            return 0.0
        most = self(LARGEST) * max(1.0, cell / self(120))
        size = self._numbers * min(SHARE * cell, most)
        closest *= _PRINTED_NUMBER if self.printed else 1.0
        room = min(cell * (1 - BESIDE), cell - self(closest))
        needed = longest * digit_share()
        size = min(size, room / needed)
        usual = SMALLEST * (_PRINTED_NUMBER if self.printed else 1.0)
        if size >= self(usual):
            return size
        # In small cells, the distance of numbers may be smaller.
        fitting = min(self(usual), (cell - self(closest)) / needed)
        least = max(min(usual, self(usual)), smaller * self(usual))
        return fitting if least <= fitting <= HIGHEST * cell else 0.0


def font_in(base: QFont, size: float, face: Face, *, bold: bool = False) -> QFont:
    """Return a font of a picture in a window with a font."""
    return _font(base.family(), size, face, bold)


def metrics_in(
    base: QFont, size: float, face: Face, *, bold: bool = False
) -> QFontMetricsF:
    """Return the metrics of a font of a picture."""
    return _metrics(base.family(), size, face, bold)


def width_in(
    base: QFont, text: str, size: float, face: Face, *, bold: bool = False
) -> float:
    """Return the width of a text in a font of a picture."""
    family = base.family()
    if face == "number":
        return sum(map(_advances(family, size, bold).__getitem__, text))
    return _measured(family, size, face, bold).extent(text)[0]


def glyphs_in(
    base: QFont, text: str, size: float, face: Face, *, bold: bool = False
) -> QGlyphRun | None:
    """Return the glyphs of a line of text in a font of a picture; see `text_glyphs`."""
    return _glyphs(base.family(), size, face, bold, text)


def number_face_in(base: QFont, size: float, *, bold: bool = False) -> NumberFace:
    """Return what paints numbers in a font of a picture."""
    return _number_face(base.family(), size, bold)


@lru_cache(maxsize=1)
def digit_share() -> float:
    """Return the width of a digit as a share of its font's height."""
    font = fixed_font()
    font.setPixelSize(100)
    return QFontMetricsF(font).horizontalAdvance("0") / 100


@lru_cache(maxsize=128)
def _font(family: str, size: float, face: Face, bold: bool) -> QFont:
    font = fixed_font() if face == "number" else QFont(family)
    # In whole pixels glyphs are cached, and lines of one size look alike.
    font.setPixelSize(max(1, round(size)))
    font.setBold(bold)
    return font


@lru_cache(maxsize=128)
def _metrics(family: str, size: float, face: Face, bold: bool) -> QFontMetricsF:
    return QFontMetricsF(_font(family, size, face, bold))


@lru_cache(maxsize=128)
def _measured(family: str, size: float, face: Face, bold: bool) -> MeasuredFace:
    return MeasuredFace(_font(family, size, face, bold))


# Most texts are the same after each edit.
@lru_cache(maxsize=1024)
def _glyphs(
    family: str, size: float, face: Face, bold: bool, text: str
) -> QGlyphRun | None:
    return text_glyphs(text, _font(family, size, face, bold))


@lru_cache(maxsize=64)
def _number_face(family: str, size: float, bold: bool) -> NumberFace:
    return NumberFace(_font(family, size, "number", bold))


class _Advances(dict[str, float]):
    """Widths of the characters of a font of numbers, which has no kerning."""

    def __init__(self, metrics: QFontMetricsF) -> None:
        super().__init__()
        self._metrics = metrics

    def __missing__(self, character: str) -> float:
        width = self[character] = self._metrics.horizontalAdvance(character)
        return width


@lru_cache(maxsize=128)
def _advances(family: str, size: float, bold: bool) -> _Advances:
    return _Advances(_metrics(family, size, "number", bold))


@lru_cache(maxsize=128)
def _widest(family: str, size: float, texts: tuple[str, ...]) -> float:
    metrics = _metrics(family, size, "text", True)
    return max(map(metrics.horizontalAdvance, texts), default=0.0)
