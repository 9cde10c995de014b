"""Derivatives of activations, norms and feed-forward layers by central differences."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from attnviewer.models.layers import (
    ACTIVATIONS,
    DERIVATIVES,
    Linear,
    feed_forward,
    feed_forward_backward,
    layer_norm,
    layer_norm_backward,
    rms_norm,
    rms_norm_backward,
)
from tests.models.layers.test_activations import FORMULAS

CURVES = {
    **FORMULAS,
    "relu": lambda x: max(x, 0.0),
    "relu2": lambda x: max(x, 0.0) ** 2,
    "tanh": math.tanh,
}
LIMITS = {"tanh": [0, 0], "relu2": [2e4, math.inf]}
"""Derivatives at 1e4 and 3e38, of curves that do not become x."""
STEP = 1e-5


def slope(of: Callable[[np.ndarray], np.ndarray], x: np.ndarray) -> np.ndarray:
    """Return the gradient of a sum of numbers on each number of an array."""
    found = np.empty_like(x)
    for place in np.ndindex(x.shape):
        step = np.zeros_like(x)
        step[place] = STEP
        found[place] = (of(x + step) - of(x - step)).sum() / (2 * STEP)
    return found


@pytest.mark.parametrize("name", CURVES)
def test_a_derivative_is_the_slope_of_its_curve(name: str) -> None:
    numbers = np.linspace(-9, 9, 402)  # 0, the kink of relu, is none of them
    curve = CURVES[name]
    want = [(curve(x + STEP) - curve(x - STEP)) / (2 * STEP) for x in numbers]
    got = DERIVATIVES[name](numbers.astype(np.float32)[np.newaxis])
    assert got.dtype == np.float32
    np.testing.assert_allclose(got[0], want, rtol=0, atol=1e-6)


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_far_from_0_a_derivative_is_at_its_limit_without_a_warning(name: str) -> None:
    far = np.array([[-3e38, -1e4, 1e4, 3e38]], np.float32)
    assert DERIVATIVES[name](far).tolist() == [[0, 0, *LIMITS.get(name, [1, 1])]]
    assert far[0, 0] == np.float32(-3e38)  # the array is not overwritten


@pytest.mark.parametrize("epsilon", [1e-5, 0.5])
def test_norms_backward_are_slopes(epsilon: float) -> None:
    draw = np.random.default_rng(3)
    x, gradient = draw.normal(2, 1.5, (2, 3, 6))
    weight, bias = draw.normal(size=(2, 6))
    for backward, norm in (
        (layer_norm_backward, lambda x: layer_norm(x, weight, bias, epsilon)),
        (rms_norm_backward, lambda x: rms_norm(x, weight, epsilon)),
    ):
        want = slope(lambda x, norm=norm: gradient * norm(x), x)
        got = backward(gradient, x, weight, epsilon)
        np.testing.assert_allclose(got, want, rtol=0, atol=1e-8)


@pytest.mark.parametrize("gated", [False, True])
def test_a_feed_forward_layer_backward_is_a_slope(gated: bool) -> None:
    draw = np.random.default_rng(4)
    up, gate = (Linear(draw.normal(size=(4, 7)), draw.normal(size=7)) for _ in "ug")
    down = Linear(draw.normal(size=(7, 4)), draw.normal(size=4))
    x, gradient = draw.normal(size=(2, 3, 4))
    gates = {"gate": gate} if gated else {}
    activation = ACTIVATIONS["silu"]
    want = slope(lambda x: gradient * feed_forward(x, up, down, activation, **gates), x)
    got = feed_forward_backward(
        gradient, x, up, down, activation, DERIVATIVES["silu"], **gates
    )
    np.testing.assert_allclose(got, want, rtol=0, atol=1e-7)
