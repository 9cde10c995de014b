"""The numbers that scrubbing goes through, worked out by hand."""

import math
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviewer.document.scrub import scrubbed

LARGEST = sys.float_info.max


@pytest.mark.parametrize(
    ("start", "fine_steps", "number"),
    [
        (2.0, 10, 2.1),
        (2.0, 30, 2.3),
        (2.0, 3, 2.03),
        (2.0, -200, 0.0),
        (2.0, -210, -0.1),
        (0.0, 10, 0.1),
        (0.0, 30, 0.3),
        (-0.0, 1, 0.01),
        (0.05, 10, 0.051),
        (15.0, 10, 16.0),
        (150.0, -10, 140.0),
        (-3.0, 20, -2.8),
        (0.1 + 0.2, 10, 0.31),
        (2.37, 10, 2.5),
        (2.37, 1, 2.38),
        (1e22, 10, 1.1e22),
        (LARGEST, 10, LARGEST),
        (-LARGEST, -10, -LARGEST),
        (LARGEST, -10, 1.7e308),
    ],
)
def test_steps_follow_the_magnitude_and_leave_clean_numbers(start, fine_steps, number):
    assert scrubbed(start, fine_steps) == number


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_no_steps_lead_back_to_the_very_bits(start):
    assert repr(scrubbed(start, 0)) == repr(start)


@given(
    st.floats(allow_nan=False, allow_infinity=False),
    st.integers(-(10**6), 10**6).filter(bool),
)
def test_steps_stay_finite_and_lead_the_right_way_and_never_to_minus_zero(start, steps):
    number = scrubbed(start, steps)
    assert math.isfinite(number)
    if abs(start) > 1e-290:
        assert (number - start) * steps >= 0 or abs(steps) < 10
    assert repr(number) != "-0.0"


def test_the_smallest_number_can_be_left():
    assert scrubbed(5e-324, 10) > 5e-324
