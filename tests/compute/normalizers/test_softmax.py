"""Softmax against its formula, written out key by key."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from attnviewer.compute.normalizers import NORMALIZERS

_SOFTMAX = NORMALIZERS["softmax"]
_INF = math.inf


def _rows(minimum: float, maximum: float) -> st.SearchStrategy[np.ndarray]:
    shapes = array_shapes(min_dims=2, max_dims=3, min_side=1, max_side=6)
    return arrays(np.float64, shapes, elements=st.floats(minimum, maximum))


@given(_rows(-50, 50), st.sampled_from([0.5, 1.0, 3.0]))
def test_softmax_is_the_written_out_formula(scores, temperature) -> None:
    weights = _SOFTMAX(temperature=temperature).normalize(scores)
    for index in np.ndindex(scores.shape[:-1]):
        row = scores[index].tolist()
        top = max(row)
        powers = [math.exp((s - top) / temperature) for s in row]
        want = [power / math.fsum(powers) for power in powers]
        np.testing.assert_allclose(weights[index], want, rtol=1e-14, atol=1e-300)


@given(_rows(-1.7e308, 1.7e308))
def test_softmax_rows_add_up_to_one_whatever_the_scores(scores: np.ndarray) -> None:
    weights = _SOFTMAX().normalize(scores)
    assert (weights >= 0).all()
    np.testing.assert_allclose(weights.sum(axis=-1), 1.0, rtol=0, atol=1e-14)


@given(_rows(-100, 100), st.integers(-1000, 1000))
def test_softmax_does_not_feel_a_shift_of_its_row(scores, shift) -> None:
    # Sixteenths shift without rounding, so not a bit may change.
    exact = np.round(scores * 16) / 16
    got = _SOFTMAX().normalize(exact + shift)
    assert got.tolist() == _SOFTMAX().normalize(exact).tolist()


@pytest.mark.parametrize(
    ("scores", "weights"),
    [
        ([0.0], [1.0]),
        ([1e308, 1e308], [0.5, 0.5]),
        ([1e308, -1e308], [1.0, 0.0]),
        ([-1e308, -1e308, -1e308, -1e308], [0.25] * 4),
        ([_INF, 5.0], [1.0, 0.0]),
        ([_INF, -_INF, _INF, 1e308], [0.5, 0.0, 0.5, 0.0]),
        ([-_INF, 3.0, 3.0], [0.0, 0.5, 0.5]),
        ([-_INF, -_INF], [0.0, 0.0]),
        ([math.log(1), math.log(3)], [0.25, 0.75]),
    ],
)
def test_softmax_of_rows_worked_by_hand(scores, weights) -> None:
    got = _SOFTMAX().normalize(np.array([scores]))[0]
    np.testing.assert_allclose(got, weights, rtol=1e-15, atol=0)


def test_a_tiny_temperature_leaves_the_largest_score_alone() -> None:
    got = _SOFTMAX(temperature=1e-300).normalize(np.array([[1.0, 3.0, 2.0]]))
    assert got.tolist() == [[0.0, 1.0, 0.0]]


def test_the_formula_tells_the_temperature() -> None:
    assert _SOFTMAX().described("scores") == "softmax(scores)"
    assert _SOFTMAX(temperature=2.5).described("scores") == "softmax(scores / 2.5)"
