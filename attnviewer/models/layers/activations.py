"""Activation functions of feed-forward layers, by their usual names."""

from collections.abc import Callable, Mapping
from functools import wraps
from types import MappingProxyType
from typing import TypeAlias

import numpy as np

from attnviewer.compute import Array

Activation: TypeAlias = Callable[[Array], Array]
"""Overwrites an array of float32, shape (n, d), and returns it."""

_NUMBERS = 1 << 17
"""Numbers per block, whose intermediates take little memory. With smaller blocks,
threads wait for the interpreter between their operations (measured)."""

# Coefficients of the polynomial in h² inside gelu's tanh, constant term first.
_GELU_SERIES = (
    1.59577062,
    0.290656519,
    -0.00101572727,
    -0.00711730565,
    0.00205445158,
    -0.00027797589,
    1.5127847e-05,
)


def _in_blocks(formula: Callable[[Array], None]) -> Activation:
    """Turn an in-place formula into an activation that works block by block."""

    @wraps(formula)
    def activate(x: Array) -> Array:
        rows = max(1, _NUMBERS // x.shape[-1])
        # Overflow has finite limits here, and NaN may propagate.
        with np.errstate(over="ignore", invalid="ignore"):
            for first in range(0, len(x), rows):
                formula(x[first : first + rows])
        return x

    return activate


@_in_blocks
def gelu(x: Array) -> None:
    """Overwrite x by x Φ(x), with Φ(x) = (1 + erf(x / √2)) / 2.

    NumPy has no erf, but a fast tanh: with h = x / 2, this is h + h tanh(h A(h²)),
    where A(h²) = artanh(erf(√2 h)) / h is a smooth function of h². It is replaced
    by the polynomial of degree 6 whose largest error in x Φ(x), over ``max(1, |x|)``,
    is least for ``|x| ≤ 5.5``: 2.2e-8. Beyond that range it keeps growing, and tanh is
    ±1 in single precision. It was found by reweighted least squares (Lawson 1961) on
    values of 40 digits. Rounding included, the error is at most 1.3e-7 ``max(1, |x|)``,
    measured at 4 million places.

    References
    ----------
    Hendrycks and Gimpel 2016, "Gaussian Error Linear Units (GELUs)".
    """
    x *= 0.5  # (rows, d)
    _times_one_and_tanh(x, artanh_erf(x))


@_in_blocks
def gelu_tanh(x: Array) -> None:
    """Overwrite x by x/2 (1 + tanh(√(2/π) (x + 0.044715 x³))).

    References
    ----------
    Hendrycks and Gimpel 2016, "Gaussian Error Linear Units (GELUs)", section 2.
    """
    inner = x * x  # (rows, d)
    inner *= 0.7978845608028654 * 0.044715
    inner += 0.7978845608028654
    inner *= x
    x *= 0.5
    _times_one_and_tanh(x, inner)


@_in_blocks
def quick_gelu(x: Array) -> None:
    """Overwrite x by x / (1 + e^(−1.702 x)).

    References
    ----------
    Hendrycks and Gimpel 2016, "Gaussian Error Linear Units (GELUs)", section 2.
    """
    _divide_by_one_and_exponential(x, -1.702)


@_in_blocks
def silu(x: Array) -> None:
    """Overwrite x by x / (1 + e^(−x)).

    References
    ----------
    Hendrycks and Gimpel 2016, "Gaussian Error Linear Units (GELUs)"; as "swish",
    Ramachandran et al. 2017, "Searching for Activation Functions".
    """
    _divide_by_one_and_exponential(x, -1.0)


def relu(x: Array) -> Array:
    """Overwrite x by max(x, 0)."""
    return np.maximum(x, 0, out=x)


@_in_blocks
def squared_relu(x: Array) -> None:
    """Overwrite x by max(x, 0)².

    References
    ----------
    So et al. 2021, "Primer: Searching for Efficient Transformers for Language
    Modeling".
    """
    np.square(np.maximum(x, 0, out=x), out=x)


def tanh(x: Array) -> Array:
    """Overwrite x by tanh(x)."""
    return np.tanh(x, out=x)


def logistic(x: Array) -> Array:
    """Return σ(x) = 1 / (1 + e^(−x)) as a new array, with no exponential too large."""
    small = np.exp(-np.abs(x))
    share: Array = np.where(x < 0, small, 1) / (1 + small)
    return share


def artanh_erf(half: Array) -> Array:
    """Return artanh(erf(√2 h)) of h, for `gelu`, as a new array (rows, d)."""
    squares = half * half  # (rows, d)
    inner: Array = squares * _GELU_SERIES[-1]  # (rows, d)
    for coefficient in _GELU_SERIES[-2:0:-1]:
        inner += coefficient
        inner *= squares
    inner += _GELU_SERIES[0]
    inner *= half
    return inner


def _times_one_and_tanh(x: Array, inner: Array) -> None:
    """Overwrite x by x (1 + tanh(inner)), and inner too."""
    np.tanh(inner, out=inner)
    inner *= x
    x += inner


def _divide_by_one_and_exponential(x: Array, factor: float) -> None:
    """Overwrite x by x / (1 + e^(factor · x))."""
    divisor = x * factor  # (rows, d)
    np.exp(divisor, out=divisor)
    divisor += 1
    x /= divisor


ACTIVATIONS: Mapping[str, Activation] = MappingProxyType(
    {
        "gelu": gelu,
        "gelu_python": gelu,
        "gelu_new": gelu_tanh,
        "gelu_pytorch_tanh": gelu_tanh,
        "gelu_python_tanh": gelu_tanh,
        # has √(2/π) with ten digits, the same in single precision
        "gelu_fast": gelu_tanh,
        "gelu_accurate": gelu_tanh,
        "quick_gelu": quick_gelu,
        "relu": relu,
        "relu2": squared_relu,
        "silu": silu,
        "swish": silu,
        "tanh": tanh,
    }
)
"""The activations by the names that transformers' config.json gives them."""
