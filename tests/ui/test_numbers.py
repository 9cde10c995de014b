import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviewer.ui.numbers import (
    decimals_for,
    format_number,
    full_number,
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
