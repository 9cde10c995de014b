"""Numbers written by the thousand are those that are written one by one."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from attnviewer.ui.text.matrix_numbers import cell_number
from attnviewer.ui.text.numbers import MINUS
from attnviewer.ui.views.step.heatmap.number_codes import write_numbers

numbers = st.one_of(
    st.floats(width=64),
    st.floats(-1000, 1000),
    st.integers(-2000, 2000).map(lambda k: k / 8),
    st.sampled_from([0.0, -0.0, 0.285, 0.05, 999999.95, -1e-12, 9.995, 99.5]),
)


@given(
    values=hnp.arrays(np.float64, st.integers(1, 20), elements=numbers),
    decimals=st.integers(0, 4),
    letters=st.integers(2, 12),
    plus=st.booleans(),
    compact=st.booleans(),
)
def test_each_is_written_as_it_would_be_alone(values, decimals, letters, plus, compact):
    written = write_numbers(values, decimals, letters, plus=plus, compact=compact)
    texts = written.all_texts()
    alone = [cell_number(v, decimals, compact=compact) for v in values.tolist()]
    if plus:
        signed = [
            v > 0 and text.strip("0.·") for v, text in zip(values, alone, strict=True)
        ]
        alone = [
            f"+{text}" if s else text for s, text in zip(signed, alone, strict=True)
        ]
    assert texts == [text if len(text) <= letters else "" for text in alone]


@pytest.mark.parametrize(
    ("value", "decimals", "letters", "text"),
    [
        (0.7491, 2, 4, "0.75"),
        (-0.0049, 2, 4, "·"),
        (0.0051, 2, 4, "0.01"),
        (-0.7491, 2, 5, f"{MINUS}0.75"),
        (2.5, 0, 3, "2"),
        (3.5, 0, 3, "4"),
        (0.285, 2, 5, "0.28"),
        (1e-9, 2, 3, "·"),
        (0.0, 1, 3, "0.0"),
        (math.inf, 2, 4, "∞"),
        (-math.inf, 2, 4, f"{MINUS}∞"),
        (math.nan, 2, 4, "NaN"),
        (123456.0, 0, 6, "123456"),
        (1234567.0, 0, 4, "1e6"),
        (-1e-9, 0, 1, "·"),
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


def test_a_longer_number_is_left_out_as_its_beginning_would_be_another_one():
    assert write_numbers(np.array([-0.7491, 0.5]), 2, 4).all_texts() == ["", "0.50"]


def test_differences_have_their_sign():
    values = np.array([0.25, -0.25, 0.0, 1e-6, np.inf, np.nan])
    texts = write_numbers(values, 2, 7, plus=True).all_texts()
    assert texts == ["+0.25", f"{MINUS}0.25", "0.00", "·", "+∞", "NaN"]


def test_compact_numbers_have_no_zero_before_the_point_and_one_fits_as_well():
    values = np.array([0.341, -0.07, 1.0, 0.996, 0.0, 1e-9, 2.5])
    texts = write_numbers(values, 2, 4, compact=True).all_texts()
    assert texts == [".34", f"{MINUS}.07", "1.0", "1.0", ".00", "·", "2.50"]
