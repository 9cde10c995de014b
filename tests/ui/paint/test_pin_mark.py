"""The mark of a pinned cell: its size, and its contrast with every colour."""

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from attnviewer.ui.paint.color_scale import ColorScale
from attnviewer.ui.paint.colormaps import BLENDS, DIVERGING, SEQUENTIAL
from attnviewer.ui.paint.colors import cell_colors
from attnviewer.ui.paint.pin_mark import has_room, mark_inks, mark_of, paint_mark
from attnviewer.ui.paint.theme import LIGHT, THEMES
from tests.ui.paint.contrast import contrast


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize("name", [*SEQUENTIAL, *DIVERGING, *BLENDS])
def test_a_mark_stands_out_from_every_colour_of_every_map(name, theme):
    scale = ColorScale(name, 0.0, 1.0)
    values = np.linspace(0.0, 1.0, 256)[None, :]
    inks = mark_inks(values, np.ones((1, 256), bool), scale, theme)
    cell = QRectF(0, 0, 20, 20)
    for color, ink in zip(scale.table(), inks, strict=True):
        image = QImage(20, 20, QImage.Format.Format_RGB32)
        image.fill(QColor(*color.tolist()))
        painter = QPainter(image)
        paint_mark(painter, cell, ink)
        painter.end()
        assert contrast(image.pixelColor(3, 3), image.pixelColor(16, 16)) >= 3


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_a_mark_stands_out_from_cells_that_are_not_on_the_scale(theme):
    values = np.array([[np.nan, np.inf, 5.0, -5.0, 0.5, 0.5]])
    hidden = np.array([[False] * 4 + [True, False]])
    shown = np.array([[True] * 5 + [False]])
    scale = ColorScale("viridis", 0.0, 1.0)
    pinned = np.ones((1, 6), bool)
    inks = mark_inks(values, pinned, scale, theme, hidden, shown)
    colors = cell_colors(values, scale, theme, hidden, shown)[0]
    for color, ink in zip(colors.tolist(), inks, strict=True):
        assert contrast(QColor(*color), ink) >= 3


def test_only_pinned_cells_have_an_ink_row_by_row():
    values = np.array([[0.0, 1.0], [1.0, 0.0]])
    pinned = np.array([[False, True], [True, True]])
    scale = ColorScale("viridis", 0.0, 1.0)  # from dark violet to yellow
    inks = mark_inks(values, pinned, scale, LIGHT)
    assert [ink.name() for ink in inks] == ["#000000", "#000000", "#ffffff"]


@pytest.mark.parametrize(
    ("cell", "side"), [(6, 4), (16, 4), (24, 6), (40, 10), (112, 10)]
)
def test_a_mark_is_a_quarter_of_its_cell_within_limits(cell, side):
    shape = mark_of(QRectF(30, 50, cell, 2 * cell)).boundingRect()
    assert (shape.width(), shape.height()) == (side, side)
    inset = shape.topLeft() - QRectF(30, 50, cell, cell).topLeft()
    assert 0 <= inset.x() == inset.y() <= 5


def test_cells_of_less_than_six_pixels_have_no_mark():
    assert has_room(6, 40)
    assert not has_room(40, 5.9)
