"""The marks of the cards, which have to differ without their colours."""

from itertools import combinations
from typing import get_args

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QImage, QPainter

from attnviewer.ui.paint.theme import THEMES
from attnviewer.ui.views.flow.verdicts import Mark, paint_verdict

SIDE = 24


def grey(mark, theme):
    """Return a mark without its colours, as numbers from 0 to 255."""
    image = QImage(SIDE, SIDE, QImage.Format.Format_RGB32)
    image.fill(QColor(theme.surface))
    painter = QPainter(image)
    paint_verdict(painter, QPointF(SIDE - 6, 6), mark, theme)
    painter.end()
    places = [(x, y) for y in range(SIDE) for x in range(SIDE)]
    return [image.pixelColor(x, y).value() for x, y in places]


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_marks_differ_without_colours(qapp, theme):
    pictures = {mark: grey(mark, theme) for mark in get_args(Mark)}
    for one, other in combinations(pictures, 2):
        apart = [
            abs(a - b) > 60 for a, b in zip(pictures[one], pictures[other], strict=True)
        ]
        assert sum(apart) >= 12, (one, other)


def test_a_mark_stays_within_three_pixels_of_the_frame(qapp):
    theme = THEMES["light"]
    numbers = grey("differs", theme)
    ground = QColor(theme.surface).value()
    painted = [place for place, n in enumerate(numbers) if n != ground]
    assert min(place // SIDE for place in painted) >= 6 - 3
    assert max(place % SIDE for place in painted) < SIDE - 6 + 3
