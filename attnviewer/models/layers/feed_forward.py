"""The feed-forward layer, which acts on each row by itself.

Weights are multiplied from the right, (d_in, d_out), and are mostly views of stored
transposes. Everything is computed transposed, with a column for each token: for a short
sentence, products with more rows than columns take as little as half the time (measured
with OpenBLAS).
"""

from typing import NamedTuple

import numpy as np

from attnviewer.compute import Array
from attnviewer.compute.threads import in_threads, parts
from attnviewer.models.layers.activations import Activation
from attnviewer.models.layers.derivatives import Derivative

_NUMBERS = 1 << 22
"""Maximum size of the widened activations in numbers, if of more than one row."""


class Linear(NamedTuple):
    """A linear layer: rows are multiplied from the right, and a bias is added.

    Parameters
    ----------
    weight : ndarray of float32, shape (d_in, d_out)
    bias : ndarray of float32, shape (d_out,), or None
    """

    weight: Array
    bias: Array | None = None

    def of(self, columns: Array, out: Array | None = None) -> Array:
        """Return (x W + b)ᵀ given xᵀ, shape (d_out, n) given (d_in, n).

        Written to `out`, if given.
        """
        product = np.matmul(self.weight.T, columns, out=out)  # (d_out, n)
        if self.bias is not None:
            product += self.bias[:, np.newaxis]
        return product

    def columns(self, some: slice) -> "Linear":
        """Return the layer with some of its columns alone, d_out of them."""
        return Linear(
            self.weight[:, some], None if self.bias is None else self.bias[some]
        )

    def backward(self, gradient: Array) -> Array:
        """Return the gradient on xᵀ, (d_in, n), given that on `of`, (d_out, n)."""
        on_columns: Array = self.weight @ gradient  # (d_in, n)
        return on_columns


def feed_forward(
    x: Array,
    up: Linear,
    down: Linear,
    activation: Activation,
    gate: Linear | None = None,
) -> Array:
    """Return activation(x W_up) W_down, or (activation(x W_gate) ⊙ x W_up) W_down.

    With biases where there are any.

    Parameters
    ----------
    x : ndarray of float32, shape (n, d)
    up : Linear, (d, d_ff)
    down : Linear, (d_ff, d)
    activation : callable
        One of `ACTIVATIONS`; with a gate, silu gives SwiGLU and gelu GEGLU.
    gate : Linear, (d, d_ff), optional

    Returns
    -------
    ndarray of float32, shape (n, d)
        A new array, column-major.

    References
    ----------
    Vaswani et al. 2017, "Attention Is All You Need", equation 2; Shazeer 2020, "GLU
    Variants Improve Transformer".
    """
    d_ff, d_out = down.weight.shape
    out = np.empty((d_out, len(x)), x.dtype)  # (d, n)
    for rows in _blocks(len(x), d_ff):
        _feed(x[rows].T, up, down, activation, gate, out[:, rows])
    return out.T


def _feed(
    columns: Array,
    up: Linear,
    down: Linear,
    activation: Activation,
    gate: Linear | None,
    out: Array,
) -> None:
    """Write the result transposed, (d, n), given xᵀ, (d, n).

    Threads share the columns of the weights, not the tokens: each of them then reads a
    share of the weights, and no sum is divided.
    """
    d_ff, d_out = down.weight.shape
    wide = np.empty((d_ff, columns.shape[1]), columns.dtype)  # (d_ff, n)
    work = columns.shape[1] * down.weight.size

    def widen(some: slice) -> None:
        own = (gate or up).columns(some).of(columns, wide[some])  # (some, n)
        activation(own)
        if gate is not None:
            own *= up.columns(some).of(columns)

    def narrow(some: slice) -> None:
        down.columns(some).of(wide, out[some])

    in_threads(widen, parts(d_ff, work))
    in_threads(narrow, parts(d_out, work))


def feed_forward_backward(
    gradient: Array,
    x: Array,
    up: Linear,
    down: Linear,
    activation: Activation,
    derivative: Derivative,
    gate: Linear | None = None,
) -> Array:
    """Return the gradient on the rows x of `feed_forward`, given that on its output.

    Parameters
    ----------
    gradient : ndarray, shape (n, d)
        The gradient of some number on the output.
    derivative : callable
        The one of `DERIVATIVES` that belongs to the activation.
    x, up, down, activation, gate
        As in `feed_forward`.

    Returns
    -------
    ndarray, shape (n, d)
        A new array, column-major.
    """
    on_x = np.empty((x.shape[1], len(x)), x.dtype)  # (d, n)

    def feed(rows: slice) -> None:
        some = x[rows].T  # (d, rows)
        on_wide = down.backward(gradient[rows].T)  # (d_ff, rows)
        inner = (gate or up).of(some)  # (d_ff, rows)
        on_inner = on_wide * derivative(inner)  # (d_ff, rows)
        if gate is None:
            on_x[:, rows] = up.backward(on_inner)
            return
        on_inner *= up.of(some)
        on_x[:, rows] = gate.backward(on_inner)
        on_x[:, rows] += up.backward(on_wide * activation(inner))

    shares = parts(len(x), 2 * len(x) * up.weight.size)
    blocks = _blocks(len(x), up.weight.shape[1])
    in_threads(feed, max(shares, blocks, key=len))
    return on_x.T


def _blocks(count: int, d_ff: int) -> list[slice]:
    """Return slices of the rows to widen at a time."""
    most = max(1, _NUMBERS // d_ff)
    return [slice(first, first + most) for first in range(0, count, most)]
