import numpy as np
import pytest
from PySide6.QtGui import QColor

from attnviewer.compute import finite_limits
from attnviewer.ui.paint.color_scale import ColorScale
from attnviewer.ui.paint.colormaps import BLENDS, DIVERGING, SEQUENTIAL
from attnviewer.ui.paint.colors import cell_colors, ink_on
from attnviewer.ui.paint.step_scale import scale_for
from attnviewer.ui.paint.theme import DARK, LIGHT, THEMES
from tests.ui.paint.contrast import contrast

# The ends and the middle of the published viridis table.
VIRIDIS = {0.0: (68, 1, 84), 0.5: (33, 145, 140), 1.0: (253, 231, 37)}


def rgb(values, scale, **options):
    return cell_colors(np.array([values]), scale, LIGHT, **options)[0]


def test_weights_run_from_zero_to_one_on_viridis():
    scale = scale_for(finite_limits(np.array([0.25, 0.25])), signed=False, theme=LIGHT)
    assert (scale.low, scale.high) == (0.0, 1.0)
    for value, color in VIRIDIS.items():
        assert np.abs(rgb([value], scale)[0].astype(int) - color).max() <= 1


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_signed_steps_are_symmetric_around_a_neutral_zero(theme):
    values = np.array([[-1.0, 0.0, 4.0]])
    scale = scale_for(finite_limits(values), signed=True, theme=theme)
    assert (scale.low, scale.high) == (-4.0, 4.0)
    red, green, blue = (int(c) for c in cell_colors(values, scale, theme)[0, 1])
    assert max(red, green, blue) - min(red, green, blue) < 14


@pytest.mark.parametrize("name", [*SEQUENTIAL, *DIVERGING, *BLENDS])
def test_a_number_can_be_read_on_every_colour_of_every_map(name):
    for color in ColorScale(name, 0.0, 1.0).table():
        assert contrast(QColor(*color), ink_on(color)) >= 4.5


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_cells_that_are_not_finite_stand_out_from_zero_and_from_the_ground(theme):
    colors = [
        scale_for(ends, signed=True, theme=theme).table()[place]
        for ends, place in (((0.0, 1.0), 0), ((-1.0, 1.0), 128))
    ]
    for ground in (*(QColor(*color) for color in colors), theme.surface):
        assert contrast(theme.off_scale, ground) > 4.5


def test_limits_come_from_every_number_and_not_from_a_sample():
    values = np.zeros((3000, 300))
    values[1234, 217] = -9.0
    scale = scale_for(finite_limits(values), signed=True, theme=LIGHT)
    assert (scale.low, scale.high) == (-9.0, 9.0)


@pytest.mark.parametrize("special", [np.nan, np.inf, -np.inf])
def test_a_special_cell_changes_no_other_cells_colour(special):
    plain = np.array([0.5, -2.0, 1.0])
    scale = scale_for(finite_limits(plain), signed=True, theme=LIGHT)
    mixed = np.array([special, 0.5, -2.0, 1.0])
    assert scale_for(finite_limits(mixed), signed=True, theme=LIGHT) == scale
    assert np.array_equal(rgb(mixed, scale)[1:], rgb(plain, scale))


def test_undefined_and_hidden_cells_have_colours_of_their_own():
    scale = ColorScale("viridis", 0.0, 1.0)
    hidden = np.array([[False, True]])
    undefined, masked = rgb([np.nan, 0.0], scale, hidden=hidden)
    assert QColor(*undefined.tolist()) == QColor(LIGHT.off_scale)
    assert QColor(*masked.tolist()) == QColor(LIGHT.sunken)


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_a_matrix_of_zeros_is_neutral(theme):
    zeros = np.zeros((2, 2))
    scale = scale_for(finite_limits(zeros), signed=True, theme=theme)
    assert scale.low == 0 < scale.high
    for red, green, blue in cell_colors(zeros, scale, theme).reshape(-1, 3).tolist():
        assert max(red, green, blue) - min(red, green, blue) < 20


def test_steps_without_negative_numbers_run_from_zero_to_their_maximum_quietly():
    scale = scale_for((0.5, 4.0), signed=True, theme=LIGHT)
    assert (scale.low, scale.high) == (0.0, 4.0)
    ends = [(0xF1, 0xF4, 0xF8), (0x84, 0x97, 0xB0)]
    assert rgb([0.0, 4.0], scale).tolist() == [list(end) for end in ends]


def test_around_zero_negative_numbers_are_red_and_positive_ones_blue_in_all_themes():
    for theme in THEMES.values():
        scale = scale_for((-3.0, 1.0), signed=True, theme=theme)
        negative, positive = cell_colors(np.array([[-2.0, 2.0]]), scale, theme)[0]
        assert int(negative[0]) > int(negative[2]) + 40
        assert int(positive[2]) > int(positive[0]) + 40


def test_limits_near_the_largest_double_do_not_overflow():
    values = np.array([[1.7e308, -1.7e308]])
    scale = scale_for(finite_limits(values), signed=True, theme=LIGHT)
    colors = cell_colors(values, scale, LIGHT)[0]
    table = scale.table()
    assert np.array_equal(colors, table[[255, 0]])


@pytest.mark.parametrize(
    ("color", "ink"), [((68, 1, 84), "#ffffff"), ((253, 231, 37), "#000000")]
)
def test_numbers_are_written_in_the_ink_that_reads_better(color, ink):
    assert ink_on(np.array(color, dtype=np.uint8)) == QColor(ink)
