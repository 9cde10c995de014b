"""Numbers in the formats that a person can choose: rounded, they never hide it."""

from decimal import Decimal

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from attnviewer.ui.text.number_format import (
    AUTOMATIC,
    LOOKED_AT,
    MOST_DIGITS,
    Decimals,
    NumberFormat,
)

WHOLE = Decimals(usual=0, most=4)

numbers = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False),
    st.floats(-1e4, 1e4),
    st.integers(-(10**7), 10**7).map(float),
    st.decimals(-99, 99, places=3).map(float),
)
formats = st.one_of(
    st.just(AUTOMATIC),
    st.builds(NumberFormat, st.just("decimals"), st.integers(0, MOST_DIGITS)),
    st.builds(NumberFormat, st.just("significant"), st.integers(1, MOST_DIGITS)),
    st.builds(NumberFormat, st.just("scientific"), st.integers(0, MOST_DIGITS)),
)


@pytest.mark.parametrize(
    ("kind", "digits", "value", "text"),
    [
        ("auto", 0, 2.0, "2"),
        ("auto", 0, 0.5, "0.5000"),
        ("auto", 0, 123456.75, "1.23e5"),
        ("decimals", 0, 0.6, "1"),
        ("decimals", 0, 0.4, "4e−1"),
        ("decimals", 2, -1.005, "−1.00"),
        ("decimals", 8, 1 / 3, "0.33333333"),
        ("decimals", 8, -123456.75, "−1.23456750e5"),
        ("decimals", 3, 2e-9, "2.00e−9"),
        ("significant", 1, 0.26, "0.3"),
        ("significant", 3, 8.0834, "8.08"),
        ("significant", 4, -0.00012345678, "−0.0001235"),
        ("significant", 6, 1234567.0, "1.23457e6"),
        ("significant", 2, 0.0, "0"),
        ("scientific", 0, 3.0, "3e0"),
        ("scientific", 3, -0.00123456, "−1.235e−3"),
        ("scientific", 2, -0.0, "0.00e0"),
        ("scientific", 8, 2.5e300, "2.50000000e300"),
        ("significant", 2, -np.inf, "−∞"),
        ("scientific", 2, np.inf, "∞"),
    ],
)
def test_each_format_writes_numbers_by_its_own_rule(kind, digits, value, text):
    assert NumberFormat(kind, digits).write(value, WHOLE) == text


@given(numbers, formats, st.sampled_from([WHOLE, Decimals(0, 2), Decimals(1, 3)]))
def test_a_text_fits_and_is_off_by_half_its_last_digit_at_most(value, format_, need):
    text = format_.write(value, need)
    assert len(text) <= format_.characters
    read = Decimal(text.replace("−", "-"))
    last_digit = Decimal(1).scaleb(read.as_tuple().exponent)
    assert abs(read - Decimal(value)) <= last_digit / 2
    assert value == 0 or read != 0


@given(numbers, st.sampled_from([WHOLE, Decimals(0, 2), Decimals(1, 3)]))
def test_what_is_written_automatically_looks_whole_only_if_it_is(value, need):
    text = AUTOMATIC.write(value, need).replace("−", "-")
    if float(text) == value:
        return
    _, _, after_point = text.partition(".")
    # Rounded, and seen to be: an exponent, or all the decimals there is room for.
    assert "e" in text or len(after_point) == need.most


@given(st.lists(numbers, min_size=1, max_size=9))
def test_all_numbers_of_a_small_matrix_are_written_alike(values):
    assume(max(map(abs, values)) < 1e4)
    assume(all(value == 0 or abs(value) > 1e-4 for value in values))
    need = Decimals.of(np.array([values]))
    lengths = {
        len(AUTOMATIC.write(value, need).partition(".")[2])
        for value in values
        if "e" not in AUTOMATIC.write(value, need)
    }
    assert len(lengths) <= 1


def test_an_unseen_fraction_in_a_huge_matrix_is_not_rounded_away():
    values = np.zeros((2 * LOOKED_AT // 64, 64))
    values[3001, 5] = 0.5
    need = Decimals.of(values)
    assert need == (0, 4)  # that row is not among those looked at
    assert AUTOMATIC.write(0.0, need) == "0"
    assert AUTOMATIC.write(0.5, need) == "0.5000"


def test_decimals_of_a_huge_matrix_grow_with_its_edits_and_stay():
    values = np.zeros((2 * LOOKED_AT // 64, 64))
    need = Decimals.of(values)
    values[7, 3] = 0.25
    grown = need.after(values, slice(7, 8), slice(3, 4))
    assert grown == (2, 4)
    values[7, 3] = 123456.0
    assert grown.after(values, slice(7, 8), slice(3, 4)) == (2, 2)
    values[7, 3] = 0.0
    assert grown.after(values, slice(7, 8), slice(3, 4)) == (2, 4)


def test_decimals_of_a_small_matrix_shrink_again():
    values = np.array([[0.25, 1.0]])
    need = Decimals.of(values)
    assert need == (2, 4)
    values[0, 0] = 3
    assert need.after(values, slice(0, 1), slice(0, 1)) == (0, 4)


@pytest.mark.parametrize("values", [[[-np.inf, 1.0]], [[-np.inf, -np.inf]]])
def test_infinite_numbers_need_no_decimals(values):
    assert Decimals.of(np.array(values)) == (0, 4)


@pytest.mark.parametrize(
    ("before", "by", "after"),
    [
        (("auto", 0), 1, ("decimals", 3)),
        (("auto", 0), -1, ("decimals", 1)),
        (("decimals", 0), -1, ("decimals", 0)),
        (("decimals", 8), 1, ("decimals", 8)),
        (("significant", 1), -1, ("significant", 1)),
        (("significant", 3), 1, ("significant", 4)),
        (("scientific", 1), -1, ("scientific", 0)),
    ],
)
def test_more_and_fewer_digits_stay_within_bounds(before, by, after):
    need = Decimals(usual=2, most=4)
    assert NumberFormat(*before).stepped(by, need) == NumberFormat(*after)
