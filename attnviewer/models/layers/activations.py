"""Activation functions of feed-forward layers, by their usual names."""

from collections.abc import Callable, Mapping
from functools import wraps
from types import MappingProxyType
from typing import TypeAlias

import numpy as np

from attnviewer.compute import Array

Activation: TypeAlias = Callable[[Array], Array]
"""Overwrites an array of float32, shape (n, d), and returns it."""

_NUMBERS = 1 << 16
"""Numbers per block, whose intermediates stay in the processor's cache: of 2¹⁸, GELU
takes up to twice as long. With blocks below 2¹⁵, threads wait for the interpreter
between their operations (measured)."""

# Coefficients of the polynomial in x² of `log_odds_against`, constant term first.
_GELU_SERIES = (
    -1.59577062,
    -0.290656519 / 4,
    0.00101572727 / 4**2,
    0.00711730565 / 4**3,
    -0.00205445158 / 4**4,
    0.00027797589 / 4**5,
    -1.5127847e-05 / 4**6,
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

    NumPy has no erf, but a fast exponential: Φ(x) is 1 / (1 + e^z), with z from
    `log_odds_against`. Rounding included, the error is at most 1.4e-7 ``max(1, |x|)``,
    measured at 4 million places.

    References
    ----------
    Hendrycks and Gimpel 2016, "Gaussian Error Linear Units (GELUs)".
    """
    _divide_by_one_and_exponential(x, log_odds_against(x))


@_in_blocks
def gelu_tanh(x: Array) -> None:
    """Overwrite x by x/2 (1 + tanh(√(2/π) (x + 0.044715 x³))).

    As (1 + tanh(y)) / 2 = 1 / (1 + e^(−2y)), and NumPy's exponential is twice as fast
    as its tanh.

    References
    ----------
    Hendrycks and Gimpel 2016, "Gaussian Error Linear Units (GELUs)", section 2.
    """
    exponents = x * x  # (rows, d)
    exponents *= -1.5957691216057308 * 0.044715
    exponents -= 1.5957691216057308
    exponents *= x
    _divide_by_one_and_exponential(x, exponents)


@_in_blocks
def quick_gelu(x: Array) -> None:
    """Overwrite x by x / (1 + e^(−1.702 x)).

    References
    ----------
    Hendrycks and Gimpel 2016, "Gaussian Error Linear Units (GELUs)", section 2.
    """
    _divide_by_one_and_exponential(x, -1.702 * x)


@_in_blocks
def silu(x: Array) -> None:
    """Overwrite x by x / (1 + e^(−x)).

    References
    ----------
    Hendrycks and Gimpel 2016, "Gaussian Error Linear Units (GELUs)"; as "swish",
    Ramachandran et al. 2017, "Searching for Activation Functions".
    """
    _divide_by_one_and_exponential(x, -x)


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


def log_odds_against(x: Array) -> Array:
    """Return log((1 − Φ(x)) / Φ(x)), for `gelu`, as a new array (rows, d).

    It is x B(x²) with a smooth function B, which is replaced by the polynomial of
    degree 6 whose largest error in x Φ(x), over ``max(1, |x|)``, is least for
    ``|x| ≤ 5.5``: 2.2e-8. Beyond that range it keeps growing, and Φ is 0 or 1 in single
    precision. It was found by reweighted least squares (Lawson 1961) on values of 40
    digits.
    """
    squares = x * x  # (rows, d)
    inner: Array = squares * _GELU_SERIES[-1]  # (rows, d)
    for coefficient in _GELU_SERIES[-2:0:-1]:
        inner += coefficient
        inner *= squares
    inner += _GELU_SERIES[0]
    inner *= x
    return inner


def _divide_by_one_and_exponential(x: Array, exponents: Array) -> None:
    """Overwrite x by x / (1 + e^exponents), and these too."""
    np.exp(exponents, out=exponents)
    exponents += 1
    x /= exponents


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
