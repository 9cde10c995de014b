"""The part of a block that looks at each row by itself.

Weights are multiplied from the right, (d_in, d_out), and may be views of stored
transposes.
"""

from collections.abc import Iterator

import numpy as np

from attnviewer.compute import Array
from attnviewer.models.layers.activations import Activation

_NUMBERS = 1 << 22
"""How many numbers a wide array between the weights holds at most, as far as it has
more than one row."""


def feed_forward(
    x: Array,
    widen: Array,
    widen_bias: Array | None,
    narrow: Array,
    narrow_bias: Array | None,
    activation: Activation,
) -> Array:
    """Return activation(x W₁ + b₁) W₂ + b₂.

    Parameters
    ----------
    x : ndarray of float32, shape (n, d)
    widen : ndarray of float32, shape (d, d_ff)
        W₁.
    widen_bias : ndarray of float32, shape (d_ff,), or None
        b₁.
    narrow : ndarray of float32, shape (d_ff, d)
        W₂.
    narrow_bias : ndarray of float32, shape (d,), or None
        b₂.
    activation : callable
        One of `ACTIVATIONS`.

    Returns
    -------
    ndarray of float32, shape (n, d)
        An array of its own.

    References
    ----------
    Vaswani et al. 2017, "Attention Is All You Need", equation 2.
    """
    out = np.empty((len(x), narrow.shape[1]), x.dtype)  # (n, d)
    for rows in _blocks(len(x), widen.shape[1]):
        wide = x[rows] @ widen  # (rows, d_ff)
        if widen_bias is not None:
            wide += widen_bias
        np.matmul(activation(wide), narrow, out=out[rows])
    if narrow_bias is not None:
        out += narrow_bias
    return out


def gated_feed_forward(
    x: Array, gate: Array, widen: Array, narrow: Array, activation: Activation
) -> Array:
    """Return (activation(x W_gate) ⊙ x W_up) W_down.

    Parameters
    ----------
    x : ndarray of float32, shape (n, d)
    gate, widen : ndarray of float32, shape (d, d_ff)
        W_gate and W_up.
    narrow : ndarray of float32, shape (d_ff, d)
        W_down.
    activation : callable
        One of `ACTIVATIONS`: silu for SwiGLU, one of gelu for GEGLU.

    Returns
    -------
    ndarray of float32, shape (n, d)
        An array of its own.

    References
    ----------
    Shazeer 2020, "GLU Variants Improve Transformer".
    """
    out = np.empty((len(x), narrow.shape[1]), x.dtype)  # (n, d)
    for rows in _blocks(len(x), widen.shape[1]):
        wide = activation(x[rows] @ gate)  # (rows, d_ff)
        wide *= x[rows] @ widen
        np.matmul(wide, narrow, out=out[rows])
    return out


def _blocks(count: int, width: int) -> Iterator[slice]:
    """Yield the rows that are widened at a time."""
    rows = max(1, _NUMBERS // width)
    return (slice(first, first + rows) for first in range(0, count, rows))
