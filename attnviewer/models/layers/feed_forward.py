"""The part of a block that looks at each row by itself.

Weights are multiplied from the right, (d_in, d_out), and are mostly views of stored
transposes. All is computed transposed, with a column for each token: for a short
sentence, products that have more rows than columns take down to half the time
(measured with OpenBLAS).
"""

from typing import NamedTuple

import numpy as np

from attnviewer.compute import Array
from attnviewer.compute.threads import in_threads, parts
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

    def of(self, columns: Array, out: Array | None = None) -> Array:
        """Return (x W + b)ᵀ given xᵀ, shape (d_out, n) given (d_in, n).

        In `out`, if that is given.
        """
        product = np.matmul(self.weight.T, columns, out=out)  # (d_out, n)
        if self.bias is not None:
            product += self.bias[:, np.newaxis]
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
        An array of its own, stored by columns.

    References
    ----------
    Vaswani et al. 2017, "Attention Is All You Need", equation 2; Shazeer 2020, "GLU
    Variants Improve Transformer".
    """
    out = np.empty((down.weight.shape[1], len(x)), x.dtype)  # (d, n)

    def feed(rows: slice) -> None:
        some = x[rows].T  # (d, rows)
        wide = activation((gate or up).of(some))  # (d_ff, rows)
        if gate is not None:
            wide *= up.of(some)
        down.of(wide, out[:, rows])

    in_threads(feed, _blocks(x, up))
    return out.T


def _blocks(x: Array, up: Linear) -> list[slice]:
    """Return the rows that are widened at a time."""
    most = max(1, _NUMBERS // up.weight.shape[1])
    shares = parts(len(x), 2 * len(x) * up.weight.size)
    if len(x) <= most * len(shares):
        return shares
    return [slice(first, first + most) for first in range(0, len(x), most)]
