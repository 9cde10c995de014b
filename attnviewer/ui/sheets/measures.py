"""Lengths on a sheet of paper, in twentieths of a point, and its fonts."""

from dataclasses import dataclass
from functools import cache

from PySide6.QtGui import QFont, QGuiApplication

from attnviewer.ui.paint.fonts import add_symbols, text_font
from attnviewer.ui.paint.math import Faces, faces_of

DPI = 1440
"""Units per inch, fine enough for whole numbers of them to be exact on paper."""
MILLIMETRE = DPI / 25.4
POINT = DPI / 72
WIDTH, HEIGHT = 210 * MILLIMETRE, 297 * MILLIMETRE
"""A4."""
MARGIN, FOOT = 20 * MILLIMETRE, 12 * MILLIMETRE
ROOM = WIDTH - 2 * MARGIN
"""Width of what stands on a page."""
DEPTH = HEIGHT - 2 * MARGIN
"""Height of what stands on a page; the foot is below it."""
BLANK_WIDTH, BLANK_HEIGHT = 18 * MILLIMETRE, 9 * MILLIMETRE
"""A cell to write a number in by hand."""
LINE = 0.5 * POINT
"""Thickness of a thin line."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """Sizes of texts, in points."""

    text: float = 10.5
    small: float = 9.0
    heading: float = 13.0
    title: float = 17.0


SIZES = Sizes()


@cache
def faces(points: float) -> Faces:
    """Return the fonts of a size."""
    add_symbols()
    font = text_font(QGuiApplication.font())
    font.setPixelSize(round(points * POINT))
    font.setBold(False)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return faces_of(font)
