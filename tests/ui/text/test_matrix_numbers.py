"""One format for all numbers of a matrix."""

import numpy as np
import pytest

from attnviewer.ui.text.matrix_numbers import (
    cell_number,
    common_exponent,
    factor_text,
    fitting_format,
    longest,
    without_factor,
)


@pytest.mark.parametrize(
    ("values", "exponent"),
    [
        ([0.0, 0.0], 0),
        ([2e-9, -7e-10], -9),
        ([0.00099], -6),
        ([0.001], 0),
        ([-999_999.0], 0),
        ([1e6], 6),
        ([-3e200, 1.0], 198),
        ([np.nan, np.inf, 5e-4], -6),
        ([5e-324], -324),
    ],
)
def test_tiny_and_huge_numbers_have_a_factor_in_common(values, exponent):
    assert common_exponent(np.array(values)) == exponent


def test_without_their_factor_numbers_are_as_they_would_be_typed():
    values = without_factor(np.array([2e-9, -7e-10, 0.0, np.nan]), -9)
    assert values[:3].tolist() == [2.0, -0.7, 0.0]
    assert np.isnan(values[3])
    assert without_factor(np.array([3e200]), 198).tolist() == [300.0]
    (smallest,) = without_factor(np.array([5e-324]), -324)
    assert smallest == pytest.approx(4.940656458)


def test_a_factor_is_written_as_on_paper():
    assert [factor_text(e) for e in (-9, 6, 198)] == ["× 10⁻⁹", "× 10⁶", "× 10¹⁹⁸"]


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (2e-4, 2, "·"),
        (-2e-4, 2, "·"),
        (0.005, 2, "·"),
        (0.0051, 2, "0.01"),
        (0.0, 2, "0.00"),
        (-0.0, 2, "0.00"),
        (-0.25, 2, "−0.25"),
        (np.inf, 2, "∞"),
    ],
)
def test_a_number_of_less_than_half_a_unit_is_a_point_and_zero_is_zero(
    value, decimals, text
):
    assert cell_number(value, decimals) == text


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (0.341, 2, ".34"),
        (-0.341, 2, "−.34"),
        (0.995001, 2, "1.0"),
        (-1.0, 2, "−1.0"),
        (1.0, 1, "1"),
        (0.0, 2, ".00"),
        (0.001, 2, "·"),
        (1.5, 2, "1.50"),
        (1.0, 0, "1"),
        (np.nan, 2, "NaN"),
        (np.inf, 2, "∞"),
    ],
)
def test_a_compact_number_has_no_zero_before_its_point(value, decimals, text):
    assert cell_number(value, decimals, compact=True) == text


@pytest.mark.parametrize(
    ("most", "letters", "form"),
    [
        (4, 9, (4, False)),
        (4, 5, (3, False)),
        (4, 4, (2, False)),
        (4, 3, (2, True)),
        (4, 2, None),
        (2, 4, (2, False)),
        (2, 3, (2, True)),
        (1, 3, (1, False)),
        (1, 2, (1, True)),
        (1, 1, None),
        (0, 1, (0, False)),
    ],
)
def test_a_zero_is_given_up_before_two_decimals_are(most, letters, form):
    weights = {0.0, 0.99}
    assert fitting_format(weights, most, letters) == form


def test_numbers_that_cannot_be_compact_lose_decimals():
    assert fitting_format({12.5, 0.1}, 2, 4) == (1, False)
    assert fitting_format({-0.5, 0.5}, 2, 4) == (2, True)
    assert fitting_format({-0.5, 0.5}, 2, 4, plus=True) == (2, True)
    assert fitting_format(set(), 2, 2) == (0, False)
    assert fitting_format(set(), 2, 1) is None
    # Nothing but “·” tells nothing.
    assert fitting_format({-0.03, 0.04}, 4, 4) == (2, True)
    assert fitting_format({-0.03, 0.04}, 4, 2) is None
    assert fitting_format({0.0}, 1, 3) == (1, False)


def test_the_longest_number_has_its_sign():
    form = fitting_format({0.5}, 2, 9)
    assert longest({0.5}, form, plus=False) == 4
    assert longest({0.5}, form, plus=True) == 5
    assert longest(set(), form, plus=True) == 0
