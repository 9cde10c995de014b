"""The layers of an output head before its last one."""

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
    """A dense layer, an activation and a layer norm, of which any may be missing.

    Parameters
    ----------
    dense : Linear, (d_model, d_embedding), or None
    activation : str
        A name of `ACTIVATIONS`; "" without.
    weight : ndarray, shape (d_embedding,), or None
        The weights of the norm.
    bias : ndarray, shape (d_embedding,), or None
        The bias of the norm.
    epsilon : float
        The number that the norm adds to the variance.

    References
    ----------
    Devlin et al. 2019, "BERT", whose published code has it.
    """

    dense: Linear | None
    activation: str
    weight: Array | None
    bias: Array | None
    epsilon: float

    @classmethod
    def of(cls, weights: Weights, architecture: Architecture) -> "PredictionHead":
        """Return the head of a model that has one."""
        dense, norm = weights.dense("head"), weights.norm("head")
        assert architecture.head is not None
        return cls(
            Linear(dense["W"], dense.get("b")) if dense else None,
            architecture.head.activation,
            norm.get("head.weight"),
            norm.get("head.bias"),
            architecture.epsilon,
        )

    def forward(self, rows: Array) -> Array:
        """Return what the decoder reads, (n, d_embedding), of rows (n, d_model)."""
        wide = self._activated(self._dense(rows))
        if self.weight is None:
            return wide
        return layer_norm(wide, self.weight, self.bias, self.epsilon)

    def backward(self, gradient: Array, rows: Array) -> Array:
        """Return the gradient on the rows, (n, d_model), given that on `forward`."""
        inner = self._dense(rows)  # (n, d_embedding)
        if self.weight is not None:
            wide = self._activated(inner)
            gradient = layer_norm_backward(gradient, wide, self.weight, self.epsilon)
        if self.activation:
            gradient = gradient * DERIVATIVES[self.activation](inner)
        return gradient if self.dense is None else self.dense.backward(gradient.T).T

    def _dense(self, rows: Array) -> Array:
        if self.dense is None:
            return rows
        return np.ascontiguousarray(self.dense.of(rows.T).T)  # (n, d_embedding)

    def _activated(self, inner: Array) -> Array:
        if not self.activation:
            return inner
        return ACTIVATIONS[self.activation](inner.copy())
