"""Numbers written by the thousand are those that are written one by one."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from attnviewer.ui.text.numbers import MINUS, fitted_number
from attnviewer.ui.views.step.heatmap.written import short_text, write_numbers

numbers = st.one_of(
    st.floats(width=64),
    st.floats(-1000, 1000),
    st.integers(-2000, 2000).map(lambda k: k / 8),
    st.sampled_from([0.0, -0.0, 0.285, 0.05, 999999.95, -1e-12, 9.995, 99.5]),
)


@given(
    values=hnp.arrays(np.float64, st.integers(1, 20), elements=numbers),
    decimals=st.integers(0, 4),
    letters=st.integers(7, 12),
)
def test_each_is_written_as_it_would_be_alone(values, decimals, letters):
    texts = write_numbers(values, decimals, letters).texts()
    alone = [fitted_number(v, decimals, letters) for v in values.tolist()]
    assert texts == alone


@given(
    values=hnp.arrays(np.float64, st.integers(1, 30), elements=numbers),
    decimals=st.integers(0, 3),
    letters=st.integers(2, 6),
)
def test_in_little_room_each_is_still_written_as_it_would_be_alone(
    values, decimals, letters
):
    texts = write_numbers(values, decimals, letters).texts()
    alone = (short_text(v, decimals, letters) for v in values.tolist())
    assert texts == [text for text in alone if len(text) <= letters]


@pytest.mark.parametrize("decimals", [1, 2])
def test_small_numbers_by_the_thousand_have_the_digit_that_is_nearest(decimals):
    values = np.random.default_rng(1).uniform(0, 10.0**-decimals / 2, 5000)
    texts = write_numbers(values, decimals, 4).texts()
    alone = [short_text(v, decimals, 4) for v in values.tolist()]
    assert texts == alone


@pytest.mark.parametrize(
    ("value", "decimals", "letters", "text"),
    [
        (0.7491, 2, 4, "0.75"),
        (-0.7491, 2, 4, "≈0"),
        (-0.7491, 2, 5, f"{MINUS}0.75"),
        (2.5, 0, 3, "2"),
        (3.5, 0, 3, "4"),
        (0.285, 2, 5, "0.28"),
        (1e-9, 2, 3, "≈0"),
        (0.0, 1, 3, "0.0"),
        (math.inf, 2, 4, "∞"),
        (-math.inf, 2, 4, f"{MINUS}∞"),
        (math.nan, 2, 4, "NaN"),
        (123456.0, 0, 6, "123456"),
        (1234567.0, 0, 4, "1e6"),
    ],
)
def test_a_number_is_no_longer_than_its_cell_and_never_another_one(
    value, decimals, letters, text
):
    assert write_numbers(np.array([value]), decimals, letters).texts() == [text]


def test_what_is_left_out_leaves_no_text():
    written = write_numbers(np.arange(4.0), 0, 3, np.array([True, False, True, False]))
    assert written.texts() == ["0", "2"]
    assert written.lengths.tolist() == [1, 0, 1, 0]
    assert not written.codes[[1, 3]].any()


def test_a_negative_number_that_is_left_out_leaves_no_text():
    written = write_numbers(
        np.array([-0.25, 0.5]), 2, 7, written=np.array([False, True])
    )
    assert written.all_texts() == ["", "0.50"]
