"""The sigmoid against its formula."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from attnviewer.compute.normalizers import NORMALIZERS

_SIGMOID = NORMALIZERS["sigmoid"]
_INF = math.inf


@given(
    arrays(
        np.float64,
        array_shapes(min_dims=2, max_dims=3, min_side=1, max_side=6),
        elements=st.floats(-300, 300),
    ),
    st.sampled_from([0.5, 1.0, 3.0]),
    st.booleans(),
)
def test_sigmoid_is_the_written_out_formula(scores, temperature, length_bias) -> None:
    weights = _SIGMOID(temperature, length_bias).normalize(scores)
    bias = math.log(scores.shape[-1]) if length_bias else 0.0
    for index in np.ndindex(scores.shape):
        x = float(scores[index]) / temperature - bias
        np.testing.assert_allclose(
            weights[index], 1 / (1 + math.exp(-x)), rtol=1e-12, atol=0
        )


@pytest.mark.parametrize(
    ("scores", "biased", "plain"),
    [
        ([0.0], [0.5], [0.5]),
        ([0.0, 0.0, 0.0, 0.0], [0.2] * 4, [0.5] * 4),
        ([math.log(2), -_INF], [0.5, 0.0], [2 / 3, 0.0]),
        ([-_INF, -_INF], [0.0, 0.0], [0.0, 0.0]),
        ([1e308, -1e308], [1.0, 0.0], [1.0, 0.0]),
        ([1e30, -1e30], [1.0, 0.0], [1.0, 0.0]),
        ([_INF, -800.0], [1.0, 0.0], [1.0, 0.0]),
    ],
)
def test_sigmoid_of_rows_worked_by_hand(scores, biased, plain) -> None:
    rows = np.array([scores])
    got = [_SIGMOID(length_bias=b).normalize(rows)[0] for b in (True, False)]
    np.testing.assert_allclose(got, [biased, plain], rtol=1e-15, atol=0)


def test_masked_keys_count_among_those_of_the_row() -> None:
    got = _SIGMOID().normalize(np.array([[0.0, -_INF, -_INF]]))
    np.testing.assert_allclose(got, [[0.25, 0.0, 0.0]], rtol=1e-15)


def test_sigmoid_divides_by_the_temperature_before_it_takes_the_bias_off() -> None:
    got = _SIGMOID(temperature=2.0).normalize(np.array([[2 * math.log(2), 0.0]]))
    np.testing.assert_allclose(got, [[1 / 2, 1 / 3]], rtol=1e-15)


def test_the_formula_tells_whether_the_length_is_taken_off() -> None:
    assert _SIGMOID().described("scores") == "sigmoid(scores − log n)"
    assert _SIGMOID(2.0, False).described("scores") == "sigmoid(scores / 2)"
