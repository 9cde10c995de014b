"""Gradients against differences, and against ones worked by hand."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from attnviewer.compute.normalizers import NORMALIZERS

_INF, _NAN = math.inf, math.nan
_STEP = 1e-5


def _differences(normalizer, scores, gradient) -> np.ndarray:
    """Central differences of Σ gradient · weights; masked keys stay masked."""
    slopes = np.zeros_like(scores)
    for index in np.ndindex(scores.shape):
        sides = []
        for step in (_STEP, -_STEP):
            moved = scores.copy()
            moved[index] += step
            sides.append(float((gradient * normalizer.normalize(moved)).sum()))
        slopes[index] = (sides[0] - sides[1]) / (2 * _STEP)
    return slopes


def _near_a_kink(normalizer, scores) -> bool:
    """Tell whether a small step changes which keys have a weight."""
    supports = []
    for key in range(scores.shape[-1]):
        for step in (0.01, -0.01):
            moved = scores.copy()
            moved[..., key] += step
            supports.append((normalizer.normalize(moved) != 0).tolist())
    return any(support != supports[0] for support in supports)


@pytest.mark.parametrize("name", NORMALIZERS)
@given(
    scores=arrays(np.float64, (2, 4), elements=st.floats(-2, 2) | st.just(-_INF)),
    gradient=arrays(np.float64, (2, 4), elements=st.floats(-3, 3)),
    temperature=st.sampled_from([1.0, 2.5]),
)
def test_gradients_are_the_differences_of_the_weights(
    name, scores, gradient, temperature
) -> None:
    normalizer = NORMALIZERS[name](temperature=temperature)
    if name == "sum":
        open_scores = np.where(np.isneginf(scores), 0, scores)
        masked = np.isneginf(scores).all(axis=-1)
        assume((masked | (abs(open_scores.sum(axis=-1)) > 0.5)).all())
    if name in ("sparsemax", "entmax15", "hardmax"):
        assume(not _near_a_kink(normalizer, scores))
    weights = normalizer.normalize(scores)
    got = normalizer.backward(scores, weights, gradient)
    want = _differences(normalizer, scores, gradient)
    np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize(
    ("name", "scores", "gradient", "want"),
    [
        # weights 1/4 and 3/4, so the mean of the gradient is 1
        ("softmax", [0.0, math.log(3)], [4.0, 0.0], [0.75, -0.75]),
        # weights 1/4 and 1/2
        ("softmax1", [0.0, math.log(2)], [4.0, 0.0], [0.75, -0.5]),
        # weights 1/2 and 1/3
        ("sigmoid", [math.log(2), 0.0], [4.0, 9.0], [1.0, 2.0]),
        # weights 1/4 and 3/4, divided by 4
        ("sum", [1.0, 3.0], [4.0, 0.0], [0.75, -0.25]),
        # the last two make up the support
        (
            "sparsemax",
            [0.0, 0.5, 1.0, 1.5, 2.0],
            [1.0, 2.0, 3.0, 4.0, 8.0],
            [0.0, 0.0, 0.0, -2.0, 2.0],
        ),
        # roots of the weights 0.8 and 0.6, so the mean of the gradient is 4
        ("entmax15", [1.4, 1.0, -5.0], [7.0, 0.0, 9.0], [2.4, -2.4, 0.0]),
        ("hardmax", [1.0, 3.0], [4.0, 5.0], [0.0, 0.0]),
    ],
)
def test_gradients_worked_by_hand(name, scores, gradient, want) -> None:
    for temperature in (1.0, 2.0):
        hot = NORMALIZERS[name](temperature=temperature)
        # The plain sum is the one that no temperature changes.
        factor = 1.0 if name == "sum" else temperature
        rows = np.array([scores]) * factor
        got = hot.backward(rows, hot.normalize(rows), np.array([gradient]))
        np.testing.assert_allclose(got[0], np.array(want) / factor, atol=1e-14)


@pytest.mark.parametrize("name", NORMALIZERS)
@pytest.mark.parametrize("wild", [_INF, -_INF, _NAN])
def test_a_masked_key_keeps_its_wild_gradient_to_itself(name, wild) -> None:
    normalizer = NORMALIZERS[name]()
    scores = np.array([[0.5, -_INF, 1.0], [-_INF, -_INF, -_INF]])
    gradient = np.array([[2.0, wild, 3.0], [wild, wild, 1.0]])
    got = normalizer.backward(scores, normalizer.normalize(scores), gradient)
    calm = np.where(np.isneginf(scores), 0, gradient)
    want = normalizer.backward(scores, normalizer.normalize(scores), calm)
    assert got[0, 1] == 0
    assert got[1].tolist() == [0.0, 0.0, 0.0]
    np.testing.assert_array_equal(got, want)
    assert np.isfinite(got).all()


@pytest.mark.parametrize("name", NORMALIZERS)
@pytest.mark.parametrize("size", [1e30, 1e308])
def test_huge_scores_have_finite_gradients(name, size) -> None:
    scores = np.array([[size, -size / 2, size, -_INF], [size, size, 3.0, 0.0]])
    normalizer = NORMALIZERS[name]()
    got = normalizer.backward(
        scores, normalizer.normalize(scores), np.array([[1.0, -2.0, 3.0, 4.0]] * 2)
    )
    assert np.isfinite(got).all()


def test_a_plain_sum_without_weights_has_no_gradient_but_at_masked_keys() -> None:
    normalizer = NORMALIZERS["sum"]()
    scores = np.array([[1.0, -1.0, -_INF]])
    got = normalizer.backward(scores, normalizer.normalize(scores), np.ones((1, 3)))
    np.testing.assert_array_equal(got, [[_NAN, _NAN, 0.0]])


def test_a_tiny_temperature_makes_gradients_infinite_but_none_of_zeros() -> None:
    scores = np.array([[1.0, 1.0, -_INF]], dtype=np.float32)
    for name in ("softmax", "softmax1", "sigmoid", "sparsemax", "entmax15"):
        # So cold that single precision cannot hold it.
        cold = NORMALIZERS[name](temperature=1e-60)
        weights = NORMALIZERS[name]().normalize(scores)
        got = cold.backward(scores, weights, np.array([[1, -1, 1]], np.float32))
        assert got.tolist() == [[_INF, -_INF, 0.0]]
