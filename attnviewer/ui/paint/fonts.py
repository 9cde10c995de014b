"""Fonts beside the application's own."""

from functools import cache

from PySide6.QtGui import QFont, QFontDatabase, QFontInfo, QFontMetrics

from attnviewer.paths import resource

_LINE = 1.17
"""Height of a line, as a share of the font's size."""
_ZEROS = str.maketrans("123456789", "0" * 9)


@cache
def add_symbols() -> None:
    """Give the application the signs that a machine's own fonts may lack.

    They stand in for missing glyphs alone: the text's own font goes before them.
    """
    QFontDatabase.addApplicationFont(str(resource("fonts", "symbols.ttf")))


def fixed_font(share: float = 1.0) -> QFont:
    """Return the font of numbers, whose digits are equally wide.

    Its family alone is set: a widget that is given it keeps following the size of the
    application's font, unless a share of that is asked for.

    Parameters
    ----------
    share : float
        Its height, as a share of the application's font.
    """
    font = QFont()
    system = _system_font()
    font.setFamilies(system.families())
    font.setStyleHint(system.styleHint())
    if share != 1.0:
        font = scaled(font, share)
    return font


def scaled(font: QFont, factor: float) -> QFont:
    """Return a font so many times as high."""
    copy = QFont(font)
    if font.pointSizeF() > 0:
        copy.setPointSizeF(font.pointSizeF() * factor)
    else:
        copy.setPixelSize(max(1, round(font.pixelSize() * factor)))
    return copy


def usual_line(font: QFont) -> int:
    """Return the height that a line of text of this size has in most fonts, in pixels.

    The unit of widths: letters of one size are about equally wide in all fonts, while
    the lines of some are a quarter higher than those of others.
    """
    return round(QFontInfo(font).pixelSize() * _LINE)


def digits_are_equally_wide(font: QFont) -> bool:
    """Tell whether columns of numbers line up in a font."""
    # QFontInfo.fixedPitch() is false for monospaced fonts that hold wide letters, too.
    metrics = QFontMetrics(font)
    return len({metrics.horizontalAdvance(digit) for digit in "0123456789"}) == 1


def outline_of(text: str, font: QFont) -> str:
    """Return what texts share that break into the same lines: all but their digits.

    In a font whose digits differ in width, it is the text itself.
    """
    return text.translate(_ZEROS) if digits_are_equally_wide(font) else text


@cache
def _system_font() -> QFont:
    """Return the system's fixed font, or another where that is none in truth."""
    system = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    if digits_are_equally_wide(system):
        return system
    for family in QFontDatabase.families():
        if QFontDatabase.isFixedPitch(family):
            system.setFamilies([family])
            break
    return system
