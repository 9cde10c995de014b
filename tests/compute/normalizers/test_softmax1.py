"""Softmax1 against its formula, and against softmax with a key of score 0."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from attnviewer.compute.normalizers import NORMALIZERS

_SOFTMAX1 = NORMALIZERS["softmax1"]
_INF = math.inf
_ROWS = arrays(
    np.float64,
    array_shapes(min_dims=2, max_dims=3, min_side=1, max_side=6),
    elements=st.floats(-50, 50) | st.just(-_INF),
)


@given(_ROWS, st.sampled_from([0.5, 1.0, 3.0]))
def test_softmax1_is_the_written_out_formula(scores, temperature) -> None:
    weights = _SOFTMAX1(temperature=temperature).normalize(scores)
    for index in np.ndindex(scores.shape[:-1]):
        powers = [math.exp(s / temperature) for s in scores[index].tolist()]
        want = [power / (1 + math.fsum(powers)) for power in powers]
        np.testing.assert_allclose(weights[index], want, rtol=1e-13, atol=1e-300)


@pytest.mark.parametrize(
    ("scores", "weights"),
    [
        ([0.0], [0.5]),
        ([0.0, math.log(2)], [0.25, 0.5]),
        ([-_INF, math.log(3)], [0.0, 0.75]),
        ([-_INF, -_INF], [0.0, 0.0]),
        ([1e308, 1e308, -1e308], [0.5, 0.5, 0.0]),
        ([-1e308, -2000.0], [0.0, 0.0]),
        ([_INF, 3.0], [1.0, 0.0]),
    ],
)
def test_softmax1_of_rows_worked_by_hand(scores, weights) -> None:
    got = _SOFTMAX1().normalize(np.array([scores]))[0]
    np.testing.assert_allclose(got, weights, rtol=1e-15, atol=0)


@given(_ROWS)
def test_softmax1_is_softmax_with_one_more_key_of_score_zero(scores) -> None:
    more = np.concatenate([scores, np.zeros((*scores.shape[:-1], 1))], axis=-1)
    want = NORMALIZERS["softmax"]().normalize(more)[..., :-1]
    np.testing.assert_allclose(_SOFTMAX1().normalize(scores), want, rtol=1e-14, atol=0)
