"""Fonts beside the application's own."""

from PySide6.QtGui import QFont, QFontDatabase


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
    system = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
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
