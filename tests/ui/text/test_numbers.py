import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviewer.ui.paint.miniature.digits import cell_texts
from attnviewer.ui.text.numbers import (
    decimals_for,
    fitted_number,
    format_number,
    full_number,
    rounded_or_dash,
    significant_number,
    with_exponent,
)


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (0.7491303855446881, 4, "0.7491"),
        (-2.0, 2, "−2.00"),
        (10.0, 0, "10"),
        (7.4e-9, 4, "7.40e−9"),
        (0.0, 4, "0.0000"),
        (-0.0, 0, "0"),
        (1e6, 2, "1.00e6"),
        (-1.5e300, 0, "−2e300"),
        (math.nan, 4, "NaN"),
        (math.inf, 4, "∞"),
        (-math.inf, 4, "−∞"),
    ],
)
def test_numbers_are_written_for_people(value, decimals, text):
    assert format_number(value, decimals) == text


@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(0, 4))
def test_only_a_true_zero_looks_like_zero(value, decimals):
    digits = format_number(value, decimals).split("e")[0]
    assert (value == 0) == (set(digits) <= set("−0."))


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (0.00186, 2, "0.00"),
        (-0.0012, 2, "0.00"),
        (0.006, 2, "0.01"),
        (-0.25, 2, "−0.25"),
        (0.3, 0, "0"),
        (2.375, 1, "2.4"),
        (math.inf, 2, "∞"),
        (math.nan, 2, "—"),
    ],
)
def test_what_has_no_room_for_an_exponent_is_rounded(value, decimals, text):
    assert rounded_or_dash(value, decimals) == text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_the_full_number_reads_back_as_the_same(value):
    assert float(full_number(value).replace("−", "-")) == value


@pytest.mark.parametrize(
    ("values", "decimals"),
    [
        ([2.0, -3.0, np.inf], 0),
        ([2.0, 0.5], 1),
        ([0.43, 0.1, -7.25], 2),
        ([0.3, 0.1 + 0.2], 4),
        ([1e300, 2e-9], 4),
        ([np.nan], 0),
    ],
)
def test_a_matrix_is_written_with_as_few_decimals_as_say_all(values, decimals):
    assert decimals_for(np.array(values), 4) == decimals


@pytest.mark.parametrize(
    ("value", "text"),
    [(1e-9, "1e−9"), (-2e12, "−2e12"), (3e300, "3e300"), (-4e-300, "−4e−300")],
)
def test_an_exponent_is_spelled_the_same_wherever_a_number_has_one(value, text):
    texts = {
        format_number(value, 0),
        fitted_number(value, 4, len(text)),
        full_number(value).replace("2000000000000.0", "2e12"),
        significant_number(value, 4),
        with_exponent(value, 0),
    }
    assert texts == {text}
    if abs(value) > 1:
        assert cell_texts([value]) == [text]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (8.08293, "8.083"),
        (0.5, "0.5"),
        (-0.25, "−0.25"),
        (1.0, "1"),
        (54321, "5.432e4"),
    ],
)
def test_a_number_can_have_only_the_digits_that_count(value, text):
    assert significant_number(value, 4) == text


@pytest.mark.parametrize(
    ("value", "text"), [(math.nan, "NaN"), (math.inf, "∞"), (-math.inf, "−∞")]
)
def test_what_is_no_finite_number_is_written_the_same_in_full(value, text):
    assert full_number(value) == format_number(value, 2) == text
