"""One format for all numbers of a matrix."""

import numpy as np
import pytest

from attnviewer.ui.text.matrix_numbers import (
    cell_number,
    common_exponent,
    factor_text,
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
