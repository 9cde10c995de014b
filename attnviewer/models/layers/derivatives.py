"""Derivatives of the activation functions of feed-forward layers."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

import numpy as np

from attnviewer.compute import Array
from attnviewer.models.layers.activations import (
    ACTIVATIONS,
    Activation,
    gelu,
    gelu_tanh,
    log_odds_against,
    logistic,
    quick_gelu,
    relu,
    silu,
    squared_relu,
    tanh,
)

Derivative: TypeAlias = Callable[[Array], Array]
"""Returns the derivative at each number as a new array of the same shape."""

_FLAT = 200.0
"""From this number on, and below its negative, all curves are straight lines."""


def gelu_derivative(x: Array) -> Array:
    """Return Φ(x) + x φ(x), with φ(x) = e^(−x²/2) / √(2π) and Φ as in `gelu`."""
    x = np.clip(x, -_FLAT, _FLAT)
    density = np.exp(-0.5 * x * x) * 0.3989422804014327
    return logistic(-log_odds_against(x)) + x * density


def gelu_tanh_derivative(x: Array) -> Array:
    """Return σ(y) + x σ′(y) y′, with y = √(8/π) (x + 0.044715 x³).

    σ(y) = 1 / (1 + e^(−y)) is the same as (1 + tanh(y / 2)) / 2 of `gelu_tanh`.
    """
    x = np.clip(x, -_FLAT, _FLAT)
    squares = 0.044715 * x * x
    share, slope = _logistic(1.5957691216057308 * x * (1 + squares))
    return share + x * slope * (1.5957691216057308 * (1 + 3 * squares))


def quick_gelu_derivative(x: Array) -> Array:
    """Return σ(1.702 x) + 1.702 x σ′(1.702 x)."""
    return silu_derivative(1.702 * np.clip(x, -_FLAT, _FLAT))


def silu_derivative(x: Array) -> Array:
    """Return σ(x) + x σ′(x), with σ(x) = 1 / (1 + e^(−x))."""
    share, slope = _logistic(x)
    return share + x * slope


def relu_derivative(x: Array) -> Array:
    """Return 1 above 0, otherwise 0, the usual subgradient at 0."""
    return (x > 0).astype(x.dtype)


def squared_relu_derivative(x: Array) -> Array:
    """Return 2 max(x, 0)."""
    with np.errstate(over="ignore"):
        derivative: Array = 2 * np.maximum(x, 0)
    return derivative


def tanh_derivative(x: Array) -> Array:
    """Return 1 − tanh(x)²."""
    derivative: Array = 1 - np.tanh(x) ** 2
    return derivative


def _logistic(x: Array) -> tuple[Array, Array]:
    """Return σ(x) and σ′(x) = σ(x) σ(−x), both without cancellation."""
    share = logistic(x)
    return share, share * logistic(-x)


_OF: Mapping[Activation, Derivative] = {
    gelu: gelu_derivative,
    gelu_tanh: gelu_tanh_derivative,
    quick_gelu: quick_gelu_derivative,
    relu: relu_derivative,
    silu: silu_derivative,
    squared_relu: squared_relu_derivative,
    tanh: tanh_derivative,
}

DERIVATIVES: Mapping[str, Derivative] = MappingProxyType(
    {name: _OF[activation] for name, activation in ACTIVATIONS.items()}
)
"""The derivatives by the names of `ACTIVATIONS`."""
