"""The mark on a card that says how somebody's step compares with it."""

from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from attnviewer.ui.paint.theme import Theme

Mark = Literal["exact", "rounded", "differs", "follows"]

_RADIUS = 7.0
_EDGE, _STROKE = 1.5, 1.8
_OVERLAP = 3.0
"""How far a mark lies outside the frame."""
_INSIDE = 3.0
"""How far the sign reaches from the middle of its disc."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The comparison of somebody's step with the right one.

    Parameters
    ----------
    mark : str
        ``exact``: a tick; ``rounded``: ≈; ``differs``: a cross on a filled disc;
        ``follows``: a cross on an empty one, of a step that differs because an earlier
        one does.
    text : str
        The same in words.
    """

    mark: Mark
    text: str


def paint_verdict(painter: QPainter, corner: QPointF, mark: Mark, theme: Theme) -> None:
    """Paint the mark of a verdict, at the upper right corner of a card's frame.

    Parameters
    ----------
    painter : QPainter
        What is painted on.
    corner : QPointF
        The corner.
    mark : str
        See `Verdict`.
    theme : Theme
        Colours.
    """
    wrong = mark in ("differs", "follows")
    hue = QColor(theme.error if wrong else theme.value)
    filled = mark != "follows"
    # Within the ring of the focus, which is what the card has around its frame.
    inset = _RADIUS + 1 - _OVERLAP
    middle = corner + QPointF(-inset, inset)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    # A halo, as the disc lies across the frame.
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.surface))
    painter.drawEllipse(middle, _RADIUS + 1, _RADIUS + 1)
    painter.setPen(QPen(hue, _EDGE))
    painter.setBrush(hue if filled else QColor(theme.surface))
    inner = _RADIUS - _EDGE / 2
    painter.drawEllipse(middle, inner, inner)
    ink = QPen(QColor(theme.surface) if filled else hue, _STROKE)
    ink.setCapStyle(Qt.PenCapStyle.RoundCap)
    ink.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(ink)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPath(_sign(mark).translated(middle))
    painter.restore()


def _sign(mark: Mark) -> QPainterPath:
    """Return the sign of a mark, around the origin."""
    path, far = QPainterPath(), _INSIDE
    if mark == "exact":
        path.moveTo(-far, 0.3)
        path.lineTo(-0.8, far - 0.6)
        path.lineTo(far, -far + 0.8)
    elif mark == "rounded":
        for y in (-2.0, 2.0):
            path.moveTo(-far - 0.4, y + 0.5)
            path.cubicTo(-far / 3, y - 2.4, far / 3, y + 2.4, far + 0.4, y - 0.5)
    else:
        short = far - 0.5
        path.moveTo(-short, -short)
        path.lineTo(short, short)
        path.moveTo(-short, short)
        path.lineTo(short, -short)
    return path
