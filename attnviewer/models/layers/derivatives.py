"""Derivatives of the activation functions of feed-forward layers."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

import numpy as np

from attnviewer.compute import Array
from attnviewer.models.layers.activations import (
    ACTIVATIONS,
    Activation,
    artanh_erf,
    gelu,
    gelu_tanh,
    quick_gelu,
    relu,
    silu,
    tanh,
)

Derivative: TypeAlias = Callable[[Array], Array]
"""Returns the derivative at each number as a new array of the same shape."""

_FLAT = 20.0
"""From this number on, and below its negative, both gelus are straight lines."""


def gelu_derivative(x: Array) -> Array:
    """Return Φ(x) + x φ(x), with φ(x) = e^(−x²/2) / √(2π) and Φ as in `gelu`."""
    x = np.clip(x, -_FLAT, _FLAT)
    density = np.exp(-0.5 * x * x) * 0.3989422804014327
    share: Array = 0.5 + 0.5 * np.tanh(artanh_erf(0.5 * x))
    return share + x * density


def gelu_tanh_derivative(x: Array) -> Array:
    """Return (1 + t) / 2 + x/2 (1 − t²) √(2/π) (1 + 3 · 0.044715 x²).

    With t = tanh(√(2/π) (x + 0.044715 x³)).
    """
    x = np.clip(x, -_FLAT, _FLAT)
    squares = 0.044715 * x * x
    t = np.tanh(0.7978845608028654 * x * (1 + squares))
    slope = 0.7978845608028654 * (1 + 3 * squares)
    derivative: Array = 0.5 * (1 + t) * (1 + x * (1 - t) * slope)
    return derivative


def quick_gelu_derivative(x: Array) -> Array:
    """Return s (1 + 1.702 x (1 − s)), with s = 1 / (1 + e^(−1.702 x))."""
    return silu_derivative(1.702 * x)


def silu_derivative(x: Array) -> Array:
    """Return s (1 + x (1 − s)), with s = 1 / (1 + e^(−x))."""
    with np.errstate(over="ignore"):  # s is then 0
        share: Array = 1 / (1 + np.exp(-x))
    return share * (1 + x * (1 - share))


def relu_derivative(x: Array) -> Array:
    """Return 1 above 0, otherwise 0, the usual subgradient at 0."""
    return (x > 0).astype(x.dtype)


def tanh_derivative(x: Array) -> Array:
    """Return 1 − tanh(x)²."""
    derivative: Array = 1 - np.tanh(x) ** 2
    return derivative


_OF: Mapping[Activation, Derivative] = {
    gelu: gelu_derivative,
    gelu_tanh: gelu_tanh_derivative,
    quick_gelu: quick_gelu_derivative,
    relu: relu_derivative,
    silu: silu_derivative,
    tanh: tanh_derivative,
}

DERIVATIVES: Mapping[str, Derivative] = MappingProxyType(
    {name: _OF[activation] for name, activation in ACTIVATIONS.items()}
)
"""The derivatives by the names of `ACTIVATIONS`."""
