"""Activations against the C library's erf, their formulas, and recorded results."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviewer.models.layers import ACTIVATIONS
from attnviewer.models.layers.activations import logistic

X = [-6.0, -3.0, -1.25, -0.5, 0.0, 0.1, 0.75, 2.0, 4.5]
GELU = [0, -0.0040496886, -0.13206221, -0.15426877, 0, 0.053982783]
GELU += [0.58002949, 1.9544997, 4.4999847]
GELU_TANH = [0, -0.0036374331, -0.1322858, -0.154286, 0, 0.053982753]
GELU_TANH += [0.57996058, 1.9545977, 4.4999948]
QUICK_GELU = [-0.00022035357, -0.018071311, -0.1330657, -0.14961156, 0, 0.054244757]
QUICK_GELU += [0.58639002, 1.9356586, 4.4978781]
RELU = [0, 0, 0, 0, 0, 0.1, 0.75, 2.0, 4.5]
SQUARED_RELU = [0, 0, 0, 0, 0, 0.01, 0.5625, 4.0, 20.25]
SILU = [-0.014835739, -0.14227761, -0.27837518, -0.18877034, 0, 0.05249792]
SILU += [0.50938404, 1.7615941, 4.4505587]
TANH = [-0.99998772, -0.99505478, -0.84828365, -0.46211717, 0, 0.099667996]
TANH += [0.63514894, 0.96402758, 0.99975324]
RECORDED = {
    "gelu": GELU,
    "gelu_python": GELU,
    "gelu_new": GELU_TANH,
    "gelu_pytorch_tanh": GELU_TANH,
    "gelu_python_tanh": GELU_TANH,
    "gelu_fast": GELU_TANH,
    "gelu_accurate": GELU_TANH,
    "quick_gelu": QUICK_GELU,
    "relu": RELU,
    "relu2": SQUARED_RELU,
    "silu": SILU,
    "swish": SILU,
    "tanh": TANH,
}
"""transformers 5.23 on torch 2.15 in single precision, ``ACT2FN[name]`` of X."""

FORMULAS = {
    "gelu": lambda x: x * math.erfc(-x / math.sqrt(2)) / 2,
    "gelu_new": lambda x: (
        x / 2 * (1 + math.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    ),
    "quick_gelu": lambda x: x / (1 + math.exp(-1.702 * x)),
    "silu": lambda x: x / (1 + math.exp(-x)),
}


def activated(name: str, *numbers: float) -> list[float]:
    return ACTIVATIONS[name](np.array([numbers], np.float32))[0].tolist()


def test_no_activation_is_without_recorded_results() -> None:
    assert ACTIVATIONS.keys() == RECORDED.keys()


@pytest.mark.parametrize("name", RECORDED)
def test_an_activation_is_that_of_transformers(name) -> None:
    np.testing.assert_allclose(activated(name, *X), RECORDED[name], atol=3e-7)


@pytest.mark.parametrize("name", FORMULAS)
@given(st.floats(-100, 100, width=32))
def test_an_activation_is_its_formula_to_single_precision(name, number) -> None:
    [got] = activated(name, number)
    assert abs(got - FORMULAS[name](number)) <= 2e-7 * max(1, abs(number))


@pytest.mark.parametrize("name", FORMULAS)
def test_no_place_of_a_curve_is_off(name) -> None:
    # A hundred places to each step of the polynomial's wiggles.
    numbers = np.linspace(-8, 8, 3001, dtype=np.float32).tolist()
    expected = [FORMULAS[name](number) for number in numbers]
    errors = np.abs(np.subtract(activated(name, *numbers), expected))
    assert (errors / np.maximum(1, np.abs(numbers))).max() <= 1.5e-7


@pytest.mark.parametrize("name", FORMULAS)
def test_far_from_0_a_curve_is_at_its_limit_without_a_warning(name) -> None:
    numbers = activated(name, -3e38, -1e20, -1e4, -0.0, 1e-40, 1e4, 1e20, 3e38)
    assert numbers == pytest.approx([0, 0, 0, 0, 0, 1e4, 1e20, 3e38], rel=1e-6)


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_the_array_itself_is_overwritten_whatever_its_blocks(name) -> None:
    x = np.linspace(-4, 4, 90_000, dtype=np.float32).reshape(60, 1500)
    expected = activated(name, *x.ravel().tolist())
    result = ACTIVATIONS[name](x)
    assert result is x
    assert x.dtype == np.float32
    # The one row of all has blocks of its own.
    np.testing.assert_allclose(x.ravel(), expected, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_half_of_wider_rows_can_be_overwritten(name) -> None:
    both = np.tile(np.array(X, np.float32), (3, 2))
    ACTIVATIONS[name](both[:, : len(X)])
    np.testing.assert_allclose(both[:, : len(X)], [RECORDED[name]] * 3, atol=3e-7)
    assert both[:, len(X) :].tolist() == [np.float32(X).tolist()] * 3


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_what_is_no_number_stays_none(name) -> None:
    assert math.isnan(activated(name, 1.0, math.nan)[1])


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_nothing_is_made_of_nothing(name) -> None:
    assert ACTIVATIONS[name](np.empty((0, 4), np.float32)).shape == (0, 4)


def test_the_logistic_function_has_its_digits_and_its_limits_far_from_zero() -> None:
    found = logistic(np.array([-2000.0, -50, 0, 50, 2000]))
    np.testing.assert_allclose(found, [0, math.exp(-50), 0.5, 1, 1], rtol=1e-15)
    assert np.isnan(logistic(np.array([math.nan])))
