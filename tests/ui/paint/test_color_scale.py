"""Where numbers lie on a scale, whatever the scale and whatever the numbers."""

import math

import numpy as np
import pyqtgraph
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviewer.ui.paint.color_scale import (
    INFINITE,
    MINUS_INFINITE,
    NAN,
    OVER,
    PLAIN,
    UNDER,
    ColorScale,
    make_scale,
)
from attnviewer.ui.paint.colormaps import DIVERGING, SEQUENTIAL
from attnviewer.ui.paint.colors import cell_colors
from attnviewer.ui.paint.theme import LIGHT

EXTREME = [0.0, 5e-324, 1e-310, 1e-300, 1.0, 1e300, 1.7976931348623157e308]
finite = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([*EXTREME, *(-x for x in EXTREME)]),
)


BREWER = [
    *("053061", "2166ac", "4393c3", "92c5de", "d1e5f0", "f7f7f7"),
    *("fddbc7", "f4a582", "d6604d", "b2182b", "67001f"),
]
"""ColorBrewer's RdBu of eleven classes, from blue to red."""


def test_the_map_of_signed_steps_goes_through_colorbrewers_classes():
    table = ColorScale("RdBu", 0.0, 1.0).table().astype(int)
    for place, color in enumerate(BREWER):
        low, high = math.floor(25.5 * place), math.ceil(25.5 * place)
        published = np.array(list(bytes.fromhex(color)))
        # Half a colour's way from a class where it lies between two of the table's.
        nearest = (table[low] + table[high]) / 2
        assert np.abs(nearest - published).max() <= 2


@pytest.mark.parametrize("name", sorted({*SEQUENTIAL, *DIVERGING} - {"RdBu"}))
def test_a_map_has_the_colours_that_pyqtgraph_gives_it(name):
    table = ColorScale(name, 0.0, 1.0).table()
    colors = pyqtgraph.colormap.get(name).getLookupTable(nPts=256, alpha=False)
    assert np.array_equal(table, colors)


@given(a=finite, b=finite, log=st.booleans())
def test_any_two_numbers_make_a_scale_with_its_low_end_at_0_and_its_high_end_at_1(
    a, b, log
):
    scale = make_scale("viridis", min(a, b), max(a, b), log=log)
    assert math.isfinite(scale.low)
    assert math.isfinite(scale.high)
    assert scale.low < scale.high
    shares = scale.shares(np.array([scale.low, scale.high]))
    assert shares.tolist() == pytest.approx([0, 1], abs=1e-9)
    assert scale.kinds(np.array([scale.low, scale.high])) is None


@given(a=finite, b=finite, log=st.booleans(), numbers=st.lists(finite, min_size=2))
def test_a_larger_number_never_lies_lower(a, b, log, numbers):
    scale = make_scale("viridis", min(a, b), max(a, b), log=log)
    inside = [x for x in sorted(numbers) if scale.low <= x <= scale.high]
    shares = scale.shares(np.array(inside))
    assert np.all(np.diff(shares) >= 0)
    assert np.all((shares > -1e-9) & (shares < 1 + 1e-9))


@pytest.mark.parametrize(
    ("low", "high", "log", "ends"),
    [
        (3.0, 3.0, False, (0.0, 3.0)),
        (-3.0, -3.0, False, (-3.0, 0.0)),
        (0.0, 0.0, False, (0.0, 1.0)),
        (0.0, 0.0, True, (1e-6, 1.0)),
        (0.0, 2.0, True, (2e-6, 2.0)),
        (0.01, 2.0, True, (0.01, 2.0)),
    ],
)
def test_a_constant_is_at_one_end_of_its_scale_and_a_logarithm_starts_above_zero(
    low, high, log, ends
):
    scale = make_scale("viridis", low, high, log=log)
    assert (scale.low, scale.high) == pytest.approx(ends)


def test_equal_factors_are_equal_steps_on_a_logarithmic_scale():
    scale = make_scale("viridis", 0.001, 1.0, log=True)
    assert scale.shares(np.array([0.001, 0.01, 0.1, 1.0])) == pytest.approx(
        [0, 1 / 3, 2 / 3, 1]
    )


def test_a_symmetric_logarithm_has_zero_in_the_middle_and_signs_on_both_sides():
    scale = make_scale("RdBu", -100.0, 100.0, log=True)
    assert scale.scaling == "symlog"
    shares = scale.shares(np.array([-100, -1, 0, 1, 100.0]))
    assert shares[2] == 0.5
    assert (shares + shares[::-1]).tolist() == pytest.approx([1] * 5)
    # asinh(x / 0.01) for x = 1 and 100, by a pocket calculator: 5.2983 and 9.9035.
    assert shares[3] == pytest.approx(0.5 + 0.5 * 5.2983 / 9.9035, abs=1e-4)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("log", [False, True])
def test_what_has_no_place_on_the_scale_is_told_apart(log, dtype):
    scale = make_scale("viridis", 0.1, 1.0, log=log)
    values = np.array([0.5, np.nan, np.inf, -np.inf, 1.1, 0.05, 0.0, -1.0], dtype)
    expected = [PLAIN, NAN, INFINITE, MINUS_INFINITE, OVER, UNDER, UNDER, UNDER]
    assert scale.kinds(values).tolist() == expected


def test_numbers_below_the_decades_of_a_scale_from_0_have_the_colour_of_its_low_end():
    scale = make_scale("viridis", 0.0, 1.0, log=True)
    values = np.array([[1e-6, 1e-9, 0.0, -1e-9, 2.0, 1.0]])
    kinds = scale.kinds(values)
    assert kinds.tolist() == [[PLAIN, PLAIN, PLAIN, UNDER, OVER, PLAIN]]
    low, *others, _, _, high = cell_colors(values, scale, LIGHT)[0].tolist()
    assert others == [low, low]
    assert (low, high) == ([68, 1, 84], [253, 231, 37])  # the ends of viridis


def test_a_rounding_error_is_not_out_of_range():
    scale = ColorScale("viridis", 0.0, 1.0)
    assert scale.kinds(np.array([1 + 1e-12, -1e-12])) is None
    assert scale.kinds(np.array([1 + 1e-6], np.float32)) is None


@pytest.mark.parametrize("share", [0.0, 0.25, 0.5, 1.0])
@pytest.mark.parametrize(
    ("low", "high", "log"), [(-2, 6, False), (0.01, 10, True), (-8, 8, True)]
)
def test_the_number_at_a_share_has_that_share(share, low, high, log):
    scale = make_scale("viridis", low, high, log=log)
    number = scale.number_at(share)
    assert scale.shares(np.array([number]))[0] == pytest.approx(share, abs=1e-9)


def test_a_logarithmic_scale_is_labelled_at_powers_of_ten():
    scale = make_scale("viridis", 0.0005, 2.0, log=True)
    numbers = [number for _, number in scale.ticks()]
    assert numbers == pytest.approx([0.0005, 0.001, 0.01, 0.1, 1.0, 2.0])


@given(a=finite, b=finite, log=st.booleans())
def test_ticks_go_up_and_are_few(a, b, log):
    scale = make_scale("viridis", min(a, b), max(a, b), log=log)
    shares = [share for share, _ in scale.ticks()]
    assert shares == sorted(shares)
    assert 2 <= len(shares) <= 12
