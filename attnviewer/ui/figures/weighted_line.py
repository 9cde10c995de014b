"""A line whose width and colour show a weight."""

from PySide6.QtGui import QColor

from attnviewer.ui.figures.elements import Stroke
from attnviewer.ui.paint.theme import Theme

THICKEST, THINNEST = 3.0, 0.25
"""Widths of lines of weight 1, and the least width."""


def weighted_line(
    points: tuple[tuple[float, float], ...],
    weight: float,
    ink: str,
    theme: Theme,
    *,
    curved: bool = False,
) -> Stroke:
    """Return the line of a weight.

    Parameters
    ----------
    points : tuple of points
        Where it runs.
    weight : float
        The weight; from a size of 1 on, lines do not get wider, and those of negative
        weights are dashed.
    ink : str
        The colour of weight 1, which pales towards that of the paper.
    theme : Theme
        The figure's colours.
    curved : bool
        Whether the four points are those of a cubic Bézier curve.
    """
    share = min(abs(weight), 1.0)
    return Stroke(
        points,
        max(share * THICKEST, THINNEST),
        _mixed(theme.window, ink, 0.25 + 0.75 * share),
        curved=curved,
        dashed=weight < 0,
    )


def _mixed(ground: str, ink: str, share: float) -> str:
    """Return a colour between two; never transparent, which print would screen."""
    below, above = QColor(ground), QColor(ink)
    parts = (
        round(getattr(below, name)() * (1 - share) + getattr(above, name)() * share)
        for name in ("red", "green", "blue")
    )
    return QColor(*parts).name()
