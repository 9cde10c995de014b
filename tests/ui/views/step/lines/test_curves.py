import math

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPen

from attnviewer.ui.views.step.lines.curves import (
    DASH,
    Strokes,
    densities,
    nearest,
    rise,
)

OPACITY = 0.5
OPAQUE = math.log(2)
"""The density of half an opacity: 1 − e^(−ln 2) = 1/2."""


def strokes(*lines, dashed=False):
    """Return lines, each given by its two heights and its width."""
    starts, ends, widths = np.array(lines, dtype=float).reshape(-1, 3).T
    flags = np.full(len(lines), dashed)
    return Strokes(starts, ends, widths, np.full(len(lines), OPACITY), flags)


def painted(lines, height, width):
    return densities(lines, np.ones((1, len(lines.starts))), height, width)[0]


def test_a_level_line_covers_the_pixels_of_its_width():
    picture = painted(strokes((5, 5, 2)), 10, 4)
    assert picture[4:6] == pytest.approx(np.full((2, 4), OPAQUE))
    assert picture[:4] == pytest.approx(np.zeros((4, 4)), abs=1e-6)
    assert picture[6:] == pytest.approx(np.zeros((4, 4)), abs=1e-6)


def test_a_line_between_pixels_covers_both_in_part():
    picture = painted(strokes((5.25, 5.25, 1)), 10, 3)
    assert picture[4:7, 0] == pytest.approx([0.25 * OPAQUE, 0.75 * OPAQUE, 0], abs=1e-6)


def test_lines_that_cross_add_up_in_either_order():
    one, other = (2, 8, 2), (8, 2, 2)
    together = painted(strokes(one, other), 10, 30)
    apart = painted(strokes(one), 10, 30) + painted(strokes(other), 10, 30)
    assert together == pytest.approx(apart, abs=1e-6)
    assert together == pytest.approx(painted(strokes(other, one), 10, 30), abs=1e-6)


def test_what_is_out_of_the_picture_is_not_painted():
    outside = strokes((-50, -20, 9), (40, 90, 9))
    assert painted(outside, 10, 100) == pytest.approx(np.zeros((10, 100)), abs=1e-6)


def test_dashed_lines_have_gaps_as_long_as_the_dashes():
    picture = painted(strokes((5, 5, 2), dashed=True), 10, 3 * DASH)[4]
    expected = [OPAQUE] * DASH + [0.0] * DASH + [OPAQUE] * DASH
    assert picture == pytest.approx(expected, abs=1e-6)


def test_each_line_goes_into_the_sums_by_its_shares():
    shares = np.array([[1.0, 0.0], [0.5, 0.25]])
    first, second = densities(strokes((2, 2, 2), (7, 7, 2)), shares, 10, 3)
    assert first[:, 0] == pytest.approx(
        [0, OPAQUE, OPAQUE, 0, 0, 0, 0, 0, 0, 0], abs=1e-6
    )
    half, quarter = OPAQUE / 2, OPAQUE / 4
    assert second[:, 0] == pytest.approx(
        [0, half, half, 0, 0, 0, quarter, quarter, 0, 0], abs=1e-6
    )


def test_no_lines_paint_nothing():
    assert painted(strokes(), 4, 3).tolist() == [[0.0] * 3] * 4


@pytest.mark.parametrize(
    ("line"), [(20, 80, 6), (90, 15, 3), (50, 50, 8), (10, 95, 1.5)]
)
def test_lines_look_as_a_painter_of_curves_draws_them(qapp, line):
    """Qt strokes the same cubic Bézier curve: its handles at thirds of the width."""
    height, width = 100, 160
    image = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(0)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(0, 0, 0, 255), line[2]))
    path = QPainterPath(QPointF(0, line[0]))
    path.cubicTo(width / 3, line[0], 2 * width / 3, line[1], width, line[1])
    painter.drawPath(path)
    painter.end()
    alpha = np.array(image.constBits()).reshape(height, width, 4)[..., 3] / 255
    covered = painted(strokes(line), height, width) / OPAQUE
    middle = slice(5, width - 5)
    assert np.abs(covered - alpha)[:, middle].max() < 0.25
    assert np.abs(covered - alpha)[:, middle].mean() < 0.005


def test_the_rise_is_level_at_both_ends_and_half_done_in_the_middle():
    ends = np.array([0.0, 0.5, 1.0])
    assert rise(ends).tolist() == [0.0, 0.5, 1.0]
    assert rise(np.array([0.25]))[0] == 0.15625  # 3/16 − 2/64


def test_the_nearest_line_is_found_within_reach():
    lines = strokes((10, 10, 1), (10, 50, 1))
    assert nearest(lines, 0.5, 31, 4) == 1
    assert nearest(lines, 0.5, 12, 4) == 0
    assert nearest(lines, 0.5, 20, 4) is None


def test_a_wide_line_is_met_everywhere_on_it():
    lines = strokes((50, 50, 40))
    assert nearest(lines, 0.3, 69, 4) == 0
    assert nearest(lines, 0.3, 71, 4) is None


@pytest.mark.parametrize("share", [-0.1, 1.1])
def test_beside_the_picture_is_no_line(share):
    assert nearest(strokes((10, 10, 5)), share, 10, 4) is None


def test_where_no_lines_are_none_is_found():
    assert nearest(strokes(), 0.5, 10, 4) is None
