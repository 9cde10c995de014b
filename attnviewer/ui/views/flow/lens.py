"""The lens: the part of the map that is shown large below the strip."""

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QPoint, QRect, QSize

from attnviewer.ui.views.flow.places import FlowLayout

_BEYOND = 5
"""By how much the lens extends beyond the cards in it, in pixels."""


def lens_over(layout: FlowLayout, steps: Sequence[str], within: QRect) -> QRect:
    """Return the rectangle of the lens.

    It covers the first step, and of the others those that it can cover without any
    step that is none of them, as values far on the left would be.

    Parameters
    ----------
    layout : FlowLayout
        Where everything stands.
    steps : sequence of str
        What is shown large, the most important first; of these, only what is in the
        strip counts.
    within : QRect
        The strip.
    """
    steps = [step for step in steps if step in layout.cards]
    others = [place.whole for name, place in layout.cards.items() if name not in steps]
    lens = QRect()
    for step in steps:
        wider = lens | layout.cards[step].whole
        if step in layout.pills and step == steps[0]:
            wider |= layout.pills[step].rect
        if lens.isNull() or not any(map(wider.intersects, others)):
            lens = wider
    if lens.isNull():
        return lens
    beyond = lens.adjusted(-_BEYOND, -_BEYOND, _BEYOND, _BEYOND)
    return beyond & within.adjusted(1, 1, -1, -1)


def tag_of(lens: QRect, size: QSize, taken: Iterable[QRect], within: QRect) -> QRect:
    """Return where the lens's tag stands; an empty rectangle without room for it.

    Parameters
    ----------
    lens : QRect
        The lens.
    size : QSize
        The tag's size.
    taken : iterable of QRect
        What it must not cover.
    within : QRect
        The strip.
    """
    taken = list(taken)
    wide, high = size.width(), size.height()
    middle, below = lens.center().x() - wide // 2, lens.bottom() + 1
    flush = lens.right() - wide - 6 if lens.width() > wide + 16 else middle
    corners = (
        QPoint(flush, below - high // 2),
        QPoint(flush, below),
        QPoint(middle, below),
        QPoint(lens.right() + 2, lens.top()),
        QPoint(lens.right() + 2, lens.bottom() - high),
        QPoint(middle, lens.top() - high),
    )
    for corner in corners:
        tag = QRect(corner, size)
        if within.contains(tag) and not any(map(tag.intersects, taken)):
            return tag
    return QRect()
