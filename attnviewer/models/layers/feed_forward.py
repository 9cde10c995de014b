"""The part of a block that looks at each row by itself.

Weights are multiplied from the right, (d_in, d_out), and may be views of stored
transposes.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from attnviewer.compute import Array
from attnviewer.models.layers.activations import Activation

_NUMBERS = 1 << 22
"""How many numbers a wide array between the weights holds at most, as far as it has
more than one row."""


class Linear(NamedTuple):
    """What rows are multiplied by from the right, and what is added to them.

    Parameters
    ----------
    weight : ndarray of float32, shape (d_in, d_out)
    bias : ndarray of float32, shape (d_out,), or None
    """

    weight: Array
    bias: Array | None = None

    def of(self, x: Array, out: Array | None = None) -> Array:
        """Return x W + b, shape (n, d_out)."""
        product: Array = np.matmul(x, self.weight, out=out)  # (n, d_out)
        if self.bias is not None:
            product += self.bias
        return product


def feed_forward(
    x: Array,
    up: Linear,
    down: Linear,
    activation: Activation,
    gate: Linear | None = None,
) -> Array:
    """Return activation(x W_up) W_down, or (activation(x W_gate) ⊙ x W_up) W_down.

    Each product with its bias where it has one.

    Parameters
    ----------
    x : ndarray of float32, shape (n, d)
    up : Linear, (d, d_ff)
    down : Linear, (d_ff, d)
    activation : callable
        One of `ACTIVATIONS`; with a gate silu for SwiGLU, one of gelu for GEGLU.
    gate : Linear, (d, d_ff), optional

    Returns
    -------
    ndarray of float32, shape (n, d)
        An array of its own.

    References
    ----------
    Vaswani et al. 2017, "Attention Is All You Need", equation 2; Shazeer 2020, "GLU
    Variants Improve Transformer".
    """
    out = np.empty((len(x), down.weight.shape[1]), x.dtype)  # (n, d)
    for rows in _blocks(len(x), up.weight.shape[1]):
        some = x[rows]  # (rows, d)
        wide = activation((gate or up).of(some))  # (rows, d_ff)
        if gate is not None:
            wide *= up.of(some)
        down.of(wide, out=out[rows])
    return out


def _blocks(count: int, width: int) -> Iterator[slice]:
    """Yield the rows that are widened at a time."""
    rows = max(1, _NUMBERS // width)
    return (slice(first, first + rows) for first in range(0, count, rows))
