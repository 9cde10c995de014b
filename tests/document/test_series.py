"""Series that a fill continues, with the numbers that Excel 365 gives."""

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from attnviewer.document.series import continued, repeated

LARGEST = sys.float_info.max


@pytest.mark.parametrize(
    ("numbers", "following"),
    [
        ([1.0, 2.0], [3.0, 4.0, 5.0]),
        ([0.1, 0.2], [0.3, 0.4, 0.5]),
        ([2.0, 2.0], [2.0, 2.0, 2.0]),
        ([5.0, 3.0, 1.0], [-1.0, -3.0, -5.0]),
        ([1.0, 2.0, 4.0], [16 / 3, 41 / 6, 25 / 3]),
        ([7.0], [8.0, 9.0, 10.0]),
        ([0.0, LARGEST], [LARGEST, LARGEST, LARGEST]),
        ([1.0, -np.inf], [1.0, -np.inf, 1.0]),
    ],
)
def test_a_column_goes_on_along_its_line_of_least_squares(numbers, following):
    column = np.array(numbers)[:, np.newaxis]
    assert continued(column, 3)[:, 0].tolist() == following


def test_columns_go_on_by_themselves():
    values = np.array([[1.0, 10.0], [2.0, 30.0]])
    assert continued(values, 2).tolist() == [[3, 50], [4, 70]]
    assert repeated(values, 3).tolist() == [[1, 10], [2, 30], [1, 10]]


@given(arrays(float, (3, 2), elements=st.floats(-1e100, 1e100)))
def test_a_series_agrees_with_polyfit(values):
    places = np.arange(3.0)
    scale = np.abs(values).max()
    expected = [
        np.polyval(np.polyfit(places, column, 1), [3.0, 4.0]) for column in values.T
    ]
    ours = continued(values, 2).T
    np.testing.assert_allclose(ours, expected, rtol=1e-9, atol=1e-9 * scale)
