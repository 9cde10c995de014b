"""Norms against values by hand, against torch's, and against what defines them."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from attnviewer.models.layers import layer_norm, rms_norm

ROWS = arrays(
    np.float32,
    array_shapes(min_dims=2, max_dims=2, min_side=2, max_side=24),
    elements=st.floats(-100, 100, width=32),
)
X = np.array([[1, 2, 4, 8], [-0.5, 0.25, 0, 3]], np.float32)
WEIGHT = np.array([1, 0.5, -2, 3], np.float32)
BIAS = np.array([0, 1, -1, 0.5], np.float32)


def test_a_row_worked_out_by_hand_is_layer_normed() -> None:
    # Mean 3, differences −2 and 2, variance 4, which ε makes 6.25 = 2.5².
    x = np.array([[1, 5]], np.float32)
    weight, bias = np.array([[10, 100], [1, 2]], np.float32)
    assert layer_norm(x, weight, bias, 2.25).tolist() == [[-7.0, 82.0]]


def test_a_row_worked_out_by_hand_is_rms_normed() -> None:
    # Mean of 1 and 49 is 25, which ε makes 100 = 10².
    x = np.array([[1, 7]], np.float32)
    normed = rms_norm(x, np.array([10, 100], np.float32), 75.0)
    np.testing.assert_allclose(normed, [[1.0, 70.0]], rtol=2e-7)


def test_layer_norm_is_that_of_torch() -> None:
    # torch 2.15, torch.nn.functional.layer_norm
    expected = [
        [-1.02575457, 0.67362356, -1.18650079, 5.25577116],
        [-0.87177742, 0.83940941, 0.00942647, 5.59301519],
    ]
    np.testing.assert_allclose(layer_norm(X, WEIGHT, BIAS, 1e-5), expected, rtol=1e-6)


def test_rms_norm_is_that_of_transformers() -> None:
    # transformers 5.23, LlamaRMSNorm
    expected = [
        [0.21693046, 0.21693046, -1.73544371, 5.20633125],
        [-0.32769269, 0.08192317, 0.0, 5.89846849],
    ]
    np.testing.assert_allclose(rms_norm(X, WEIGHT, 1e-6), expected, rtol=1e-6)


@pytest.mark.parametrize("norm", [layer_norm, rms_norm])
def test_a_norm_leaves_its_input_alone_and_stays_in_single_precision(norm) -> None:
    x = X.copy()
    parameters = (WEIGHT, BIAS) if norm is layer_norm else (WEIGHT,)
    normed = norm(x, *parameters, 1e-5)
    assert normed.dtype == np.float32
    assert x.tolist() == X.tolist()


@pytest.mark.parametrize("norm", [layer_norm, rms_norm])
def test_a_norm_may_overwrite_its_input_when_asked_to(norm) -> None:
    x = X.copy()
    parameters = (WEIGHT, BIAS) if norm is layer_norm else (WEIGHT,)
    assert norm(x, *parameters, 1e-5, out=x) is x
    assert x.tolist() == norm(X, *parameters, 1e-5).tolist()


@given(ROWS, st.floats(0.01, 10))
def test_layer_normed_rows_have_mean_0_and_the_variance_that_epsilon_leaves(
    x, epsilon
) -> None:
    ones, zeros = np.ones(x.shape[1], np.float32), np.zeros(x.shape[1], np.float32)
    normed = layer_norm(x, ones, zeros, epsilon)
    for row, result in zip(x.tolist(), normed.tolist(), strict=True):
        mean = math.fsum(row) / len(row)
        variance = math.fsum((number - mean) ** 2 for number in row) / len(row)
        of_result = math.fsum(number**2 for number in result) / len(row)
        # Rounding leaves about 1e-5 of numbers up to 100, over √0.01 at least.
        assert math.fsum(result) / len(row) == pytest.approx(0, abs=2e-4)
        assert of_result == pytest.approx(variance / (variance + epsilon), abs=1e-4)


@given(ROWS, st.floats(0.01, 10))
def test_rms_normed_rows_keep_their_direction(x, epsilon) -> None:
    normed = rms_norm(x, np.ones(x.shape[1], np.float32), epsilon)
    for row, result in zip(x.tolist(), normed.tolist(), strict=True):
        mean = math.fsum(number**2 for number in row) / len(row)
        expected = [number / math.sqrt(mean + epsilon) for number in row]
        assert result == pytest.approx(expected, rel=2e-6, abs=1e-30)


def test_a_row_far_from_0_keeps_the_digits_of_its_variance() -> None:
    # Squares of 4097 need more digits than single precision has.
    x = np.array([[4095, 4097] * 200], np.float32)
    ones, zeros = np.ones(400, np.float32), np.zeros(400, np.float32)
    assert layer_norm(x, ones, zeros, 0.0).tolist() == [[-1.0, 1.0] * 200]


def test_rows_without_any_difference_become_the_bias() -> None:
    x = np.full((2, 4), 7, np.float32)
    assert layer_norm(x, WEIGHT, BIAS, 1e-12).tolist() == [BIAS.tolist()] * 2
    assert not rms_norm(np.zeros_like(x), WEIGHT, 1e-12).any()
