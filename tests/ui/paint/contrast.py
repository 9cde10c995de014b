"""Contrast as the Web Content Accessibility Guidelines 2.2 define it."""

from PySide6.QtGui import QColor


def contrast(one: QColor | str, other: QColor | str) -> float:
    """Return the contrast ratio of two colours, from 1 to 21."""
    darker, lighter = sorted((_luminance(QColor(one)), _luminance(QColor(other))))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(color: QColor) -> float:
    shares = (channel / 255 for channel in color.getRgb()[:3])
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in shares
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
