"""Composed numbers against the same numbers drawn by Qt."""

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter

from attnviewer.ui.paint.fonts import fixed_font
from attnviewer.ui.views.step.heatmap.glyphs import Glyphs
from attnviewer.ui.views.step.heatmap.number_codes import write_numbers

INKS = ("#000000", "#ffffff")


@pytest.fixture
def font(qapp):
    font = fixed_font()
    font.setPixelSize(15)
    return font


def composed(glyphs, values, inks, lefts, decimals=2, letters=5):
    written = write_numbers(np.array(values, float).ravel(), decimals, letters)
    return glyphs.compose(written, np.array(inks), np.array(lefts))


def test_a_single_character_is_the_one_that_qt_draws(font):
    glyphs = Glyphs(font, 1.0, INKS)
    (strip,) = composed(glyphs, [[7]], [[0]], [0], decimals=0, letters=1)
    metrics = QFontMetricsF(font)
    width = 2 * glyphs.half
    drawn = QImage(width, glyphs.height, QImage.Format.Format_ARGB32_Premultiplied)
    drawn.fill(0)
    painter = QPainter(drawn)
    painter.setFont(font)
    painter.setPen(QColor(INKS[0]))
    free = (width - metrics.horizontalAdvance("7")) / 2
    painter.drawText(QPointF(free, metrics.ascent()), "7")
    painter.end()
    expected = np.frombuffer(drawn.constBits(), np.uint32)
    assert expected.any()
    assert np.array_equal(strip, expected.reshape(strip.shape))


def test_each_number_has_its_own_ink(font):
    glyphs = Glyphs(font, 1.0, INKS)
    (strip,) = composed(glyphs, [[1, 1]], [[0, 1]], [0, 100])
    dark, light = strip[:, :100], strip[:, 100:]
    assert dark.max() == 0xFF000000
    assert light.max() == 0xFFFFFFFF
    assert np.array_equal(dark > 0, np.pad(light > 0, ((0, 0), (0, 100)))[:, :100])


@pytest.mark.parametrize("value", [1, 11, -1, -11, 0.25, -0.25])
@pytest.mark.parametrize("decimals", [0, 2])
def test_numbers_of_every_length_are_centred(font, value, decimals):
    glyphs = Glyphs(font, 1.0, INKS)
    (strip,) = composed(glyphs, [[value]], [[0]], [0], decimals, letters=6)
    seen = np.flatnonzero(strip.any(axis=0))
    middle = (seen[0] + seen[-1]) / 2
    # Characters do not fill their width evenly: an odd pixel or two is theirs.
    assert abs(middle - (strip.shape[1] - 1) / 2) <= glyphs.half


def test_on_a_finer_screen_there_are_as_many_more_pixels(font):
    one, two = (Glyphs(font, ratio, INKS) for ratio in (1.0, 2.0))
    assert two.height == pytest.approx(2 * one.height, abs=1)
    assert two.advance(2.0) == pytest.approx(one.advance(1.0), abs=1)
    (strip,) = composed(two, [[8]], [[0]], [0], decimals=0, letters=1)
    # Not each pixel twice: real shapes of twice the size.
    assert not np.array_equal(strip[0::2][:10], strip[1::2][:10])
    assert QFont(font).pixelSize() == 15
