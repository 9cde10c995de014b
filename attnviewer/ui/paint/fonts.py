"""Fonts besides the application's default."""

from functools import cache

from PySide6.QtGui import QFont, QFontDatabase, QFontInfo, QFontMetrics

from attnviewer.paths import resource

_TEXT, _NUMBERS = "Inter", "JetBrains Mono"
"""The families of texts and of numbers where they are installed."""
_LINE = 1.17
"""Line height relative to the font size."""
UNSHAPED = QFont.StyleStrategy.PreferNoShaping
"""For numbers: digits need no shaping, and are painted in half the time without."""
_HIGH = 70.0
"""The height in lines of text from which texts grow with a picture."""


@cache
def add_symbols() -> None:
    """Load a font with the symbols that the system's fonts may lack.

    It is a fallback for missing glyphs only: the text's own font comes first.
    """
    QFontDatabase.addApplicationFont(str(resource("fonts", "symbols.ttf")))


def text_font(system: QFont) -> QFont:
    """Return the font for texts, in the size of the system's."""
    font = QFont(system)
    if QFontDatabase.hasFamily(_TEXT):
        font.setFamilies([_TEXT, *system.families()])
        # Numbers within texts must not jump while they change.
        font.setFeature(QFont.Tag("tnum"), 1)
    elif QFontInfo(system).fixedPitch():
        # Where few fonts are installed, the system may name any of them.
        font.setFamilies([*_proportional(), *system.families()])
    return font


def fixed_font(share: float = 1.0) -> QFont:
    """Return the font for numbers, with digits of equal width.

    Only its family is set, so that a widget keeps following the size of the
    application's font, unless `share` is given.

    Parameters
    ----------
    share : float
        Its size, as a share of the application's font.
    """
    font = QFont()
    system = _system_font()
    font.setFamilies(system.families())
    font.setStyleHint(system.styleHint())
    font.setFeature(QFont.Tag("calt"), 0)  # no ligatures
    if share != 1.0:
        font = scaled(font, share)
    return font


def scaled(font: QFont, factor: float) -> QFont:
    """Return a font scaled by a factor."""
    copy = QFont(font)
    if font.pointSizeF() > 0:
        copy.setPointSizeF(font.pointSizeF() * factor)
    else:
        copy.setPixelSize(max(1, round(font.pixelSize() * factor)))
    return copy


def enlargement(height: float, line: float) -> float:
    """Return by how much texts grow in a high picture, so that they suit it.

    Parameters
    ----------
    height, line : float
        The heights of the picture and of a line of text, in pixels.
    """
    return max(1.0, height / (_HIGH * line))


def usual_line(font: QFont) -> int:
    """Return the usual height of a line of text of this size, in pixels.

    This is the unit for widths: letters of one size are about equally wide in all
    fonts, while line heights differ by up to a quarter.
    """
    return round(QFontInfo(font).pixelSize() * _LINE)


def digits_are_equally_wide(font: QFont) -> bool:
    """Return whether all digits of a font have the same width."""
    # QFontInfo.fixedPitch() is also false for monospaced fonts with wide letters.
    metrics = QFontMetrics(font)
    return len({metrics.horizontalAdvance(digit) for digit in "0123456789"}) == 1


def _proportional() -> list[str]:
    """Return the best family for texts in Latin letters, if there is one."""
    latin = QFontDatabase.WritingSystem.Latin
    families = [
        family
        for family in QFontDatabase.families(latin)
        if not QFontDatabase.isFixedPitch(family)
    ]
    without_serifs = [family for family in families if "Sans" in family]
    return [*without_serifs, *families][:1]


@cache
def _system_font() -> QFont:
    """Return the best monospaced font installed, in the size of the system's."""
    system = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    if QFontDatabase.hasFamily(_NUMBERS):
        system.setFamilies([_NUMBERS, *system.families()])
    if digits_are_equally_wide(system):
        return system
    for family in QFontDatabase.families():
        if QFontDatabase.isFixedPitch(family):
            system.setFamilies([family])
            break
    return system
