"""The tint of a head's picture by how much the head differs."""

from PySide6.QtGui import QColor

from attnviewer.ui.paint.theme import Theme

STRONGEST = 0.6
"""How much of a picture the tint of the largest difference covers."""


def tint_color(theme: Theme, share: float) -> QColor:
    """Return the tint for a share from 0 to 1 of the largest difference."""
    color = QColor(theme.accent)
    color.setAlphaF(STRONGEST * share)
    return color
