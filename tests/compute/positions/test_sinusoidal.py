"""The sinusoidal encoding against the paper's formula, one cell at a time."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviewer.compute.positions import sinusoidal_encoding


def _cell(place: int, column: int, d_model: int) -> float:
    pair = column // 2
    angle = place / math.pow(10000, 2 * pair / d_model)
    return math.sin(angle) if column % 2 == 0 else math.cos(angle)


@given(st.integers(1, 9), st.integers(1, 9), st.integers(-500, 5000))
def test_each_cell_is_the_papers_formula(n, d_model, offset) -> None:
    encoding = sinusoidal_encoding(n, d_model, offset=offset)
    want = [[_cell(offset + p, c, d_model) for c in range(d_model)] for p in range(n)]
    assert encoding.dtype == np.float64
    np.testing.assert_allclose(encoding, want, rtol=0, atol=1e-11)


def test_an_encoding_worked_by_hand() -> None:
    # With 4 columns the second pair turns 100 times more slowly.
    want = [
        [0.0, 1.0, 0.0, 1.0],
        [0.8414709848, 0.5403023059, 0.0099998333, 0.9999500004],
        [0.9092974268, -0.4161468365, 0.0199986667, 0.9998000067],
    ]
    got = sinusoidal_encoding(3, 4)
    np.testing.assert_allclose(got, want, rtol=0, atol=1e-10)


def test_an_odd_width_ends_with_a_sine() -> None:
    (row,) = sinusoidal_encoding(1, 3, offset=1)
    want = [math.sin(1), math.cos(1), math.sin(10000 ** (-2 / 3))]
    np.testing.assert_allclose(row, want, rtol=1e-14)


@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 50))
def test_an_offset_continues_the_encoding(n, d_model, offset) -> None:
    whole = sinusoidal_encoding(offset + n, d_model)
    part = sinusoidal_encoding(n, d_model, offset=offset)
    np.testing.assert_array_equal(part, whole[offset:])


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((0, 4), ValueError, "'n' parameter must be an integer of at least 1. Got 0"),
        ((4, 0), ValueError, "'d_model' .* Got 0 instead"),
        ((True, 4), TypeError, "'n' .* Got True instead"),
        ((4, 2.0), TypeError, r"'d_model' .* Got 2\.0 instead"),
    ],
)
def test_what_is_no_size_is_refused(arguments, error, message) -> None:
    with pytest.raises(error, match=message):
        sinusoidal_encoding(*arguments)


def test_an_offset_that_is_no_integer_is_refused() -> None:
    with pytest.raises(TypeError, match=r"'offset' .* Got 1\.5 instead"):
        sinusoidal_encoding(2, 2, offset=1.5)
