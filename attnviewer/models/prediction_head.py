"""What models of masked tokens do to hidden states before they are logits."""

from typing import NamedTuple

import numpy as np

from attnviewer.compute import Array
from attnviewer.models.architecture import Architecture
from attnviewer.models.layers import (
    ACTIVATIONS,
    DERIVATIVES,
    Linear,
    layer_norm,
    layer_norm_backward,
)
from attnviewer.models.weights import Weights


class PredictionHead(NamedTuple):
    """A dense layer, an activation and a layer norm before the decoder.

    The decoder is a table with a row for each token, with a bias for each.

    Parameters
    ----------
    dense : Linear, (d_model, d_embedding)
    activation : str
        A name of `ACTIVATIONS`.
    weight : ndarray, shape (d_embedding,)
        The weights of the norm.
    bias : ndarray, shape (d_embedding,), or None
        The bias of the norm.
    epsilon : float
        The number that the norm adds to the variance.

    References
    ----------
    Devlin et al. 2019, "BERT", whose published code has it.
    """

    dense: Linear
    activation: str
    weight: Array
    bias: Array | None
    epsilon: float

    @classmethod
    def of(cls, weights: Weights, architecture: Architecture) -> "PredictionHead":
        """Return the head of a model that has one."""
        dense, norm = weights.dense("head"), weights.norm("head")
        assert architecture.head_activation is not None
        return cls(
            Linear(dense["W"], dense.get("b")),
            architecture.head_activation,
            norm["head.weight"],
            norm.get("head.bias"),
            architecture.epsilon,
        )

    def forward(self, rows: Array) -> Array:
        """Return what the decoder reads, (n, d_embedding), of rows (n, d_model)."""
        wide = ACTIVATIONS[self.activation](self._dense(rows))
        return layer_norm(wide, self.weight, self.bias, self.epsilon, out=wide)

    def backward(self, gradient: Array, rows: Array) -> Array:
        """Return the gradient on the rows, (n, d_model), given that on `forward`."""
        inner = self._dense(rows)  # (n, d_embedding)
        wide = ACTIVATIONS[self.activation](inner.copy())
        on_wide = layer_norm_backward(gradient, wide, self.weight, self.epsilon)
        on_inner = on_wide * DERIVATIVES[self.activation](inner)
        return self.dense.backward(on_inner.T).T

    def _dense(self, rows: Array) -> Array:
        return np.ascontiguousarray(self.dense.of(rows.T).T)  # (n, d_embedding)
