"""The steps of a block's forward pass."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from attnviewer.compute import Array, Spec, Trace
from attnviewer.compute.numbers import check_numbers
from attnviewer.compute.qk_norm import INPUTS as QK_NORM_INPUTS
from attnviewer.compute.run import compute
from attnviewer.compute.threads import one_blas_thread
from attnviewer.models.architecture import Architecture
from attnviewer.models.layers import (
    ACTIVATIONS,
    Linear,
    ReadExpert,
    feed_forward,
    layer_norm,
    rms_norm,
    routed,
)
from attnviewer.models.prediction_head import PredictionHead
from attnviewer.models.weights import Weights

Parts = Mapping[str, Array]

ATTENTION_PARTS = (
    *("W_Q", "W_K", "W_V", "W_QR", "W_KR", "W_O"),
    *("b_Q", "b_K", "b_V", "b_QR", "b_KR", "b_O"),
    *QK_NORM_INPUTS,
    "sinks",
    "relative_bias",
)
"""The weights of a layer's attention."""
ATTENTION_INPUTS = (*ATTENTION_PARTS, "R")
"""The same with the table of relative positions, which all layers share."""
FEED_PARTS = (
    *("feed_", "W_gate", "W_up", "W_down", "b_gate", "b_up", "b_down"),
    *("W_router", "b_router"),
)
"""Prefixes of the names of a layer's other weights, without its first norms."""


def embed(weights: Weights, architecture: Architecture, ids: Sequence[int]) -> Array:
    """Return the embeddings of tokens, shape (n, d_model).

    Parameters
    ----------
    weights : Weights
        The tables.
    architecture : Architecture
        The tables that exist.
    ids : sequence of int
        The tokens, each a row of the table.
    """
    own = np.asarray(ids, np.intp)  # (n,)
    x = weights.rows("tokens", own)  # (n, d_embedding)
    if architecture.embedding_scale != 1:
        x *= np.float32(architecture.embedding_scale)
    if architecture.n_types:
        x += weights.rows("types", np.zeros(1, np.intp))  # (1, d_embedding)
    if architecture.n_positions is not None:
        x += weights.rows("places", position_rows(architecture, own))
    x = apply_norm(x, "embedding", weights.norm("embedding"), architecture)
    if projection := weights.dense("embedding"):
        x = x @ projection["W"] + projection.get("b", np.float32(0))  # (n, d_model)
    x = apply_norm(x, "projected", weights.norm("projected"), architecture)
    # Column-major, like the branches added to it: the sums then take a sixth of the
    # time.
    return np.asfortranarray(x)


def position_rows(
    architecture: Architecture, ids: NDArray[np.intp]
) -> NDArray[np.intp]:
    """Return the rows of the tokens' learned positions, shape (n,).

    Where padding has a row of its own, it is not counted (RoBERTa).
    """
    if architecture.padding is None:
        return np.arange(len(ids)) + architecture.first_position
    real = ids != architecture.padding  # (n,)
    counted: NDArray[np.intp] = np.cumsum(real) * real  # (n,)
    return counted + architecture.padding


def apply_norm(
    x: Array,
    norm: str,
    parts: Parts,
    architecture: Architecture,
    out: Array | None = None,
) -> Array:
    """Return rows after a norm, unchanged if the family does not have it.

    Parameters
    ----------
    x : ndarray, shape (n, d_model)
        The rows.
    norm : str
        Which of the norms.
    parts : mapping of str to ndarray
        The weights, of a layer or shared by all.
    architecture : Architecture
        What kind of norm it is.
    out : ndarray, shape (n, d_model), optional
        The output array, which may be x itself.
    """
    weight = parts.get(f"{norm}.weight")
    if weight is None:
        return x
    if architecture.norm == "layer":
        bias = parts.get(f"{norm}.bias")
        return layer_norm(x, weight, bias, architecture.epsilon, out)
    offset = np.float32(architecture.weight_offset)
    return rms_norm(x, weight + offset, architecture.epsilon, out)


def attention_of(spec: Spec, x: Array, weights: Parts) -> Trace:
    """Return the attention of a layer over its input.

    Parameters
    ----------
    spec : Spec
        The attention variant.
    x : ndarray, shape (n, d_model)
        The input, after its norm.
    weights : mapping of str to ndarray
        The weights that the spec names; with the context of a cross-attention.
    """
    return compute(spec, {"X": x, **{n: weights[n] for n in spec.input_names[1:]}})


def feed_forward_branch(
    x: Array,
    parts: Parts,
    architecture: Architecture,
    read: ReadExpert | None = None,
) -> Array:
    """Return the output of the feed-forward layer, shape (n, d_model).

    Parameters
    ----------
    x : ndarray, shape (n, d_model)
        Its input, after its norm.
    parts : mapping of str to ndarray
        Its weights.
    architecture : Architecture
        What kind of layer it is.
    read : callable, optional
        Reads an expert of the layer, where it has some.
    """
    if architecture.experts is not None:
        assert read is not None
        own = architecture.experts
        return routed(
            x, router(parts), read, k=own.chosen, alpha=own.alpha, limit=own.limit
        )
    gate, up, down = feed_forward_layers(parts)
    return feed_forward(x, up, down, ACTIVATIONS[architecture.activation], gate)


def feed_forward_layers(parts: Parts) -> tuple[Linear | None, Linear, Linear]:
    """Return the linear layers gate, if there is one, up and down."""
    gate, up, down = (
        Linear(parts[f"W_{name}"], parts.get(f"b_{name}"))
        if f"W_{name}" in parts
        else None
        for name in ("gate", "up", "down")
    )
    assert up is not None
    assert down is not None
    return gate, up, down


def router(parts: Parts) -> Linear:
    """Return the linear layer that chooses experts."""
    return Linear(parts["W_router"], parts.get("b_router"))


def add_branch(
    x: Array, branch: Array, of: str, parts: Parts, architecture: Architecture
) -> Array:
    """Return the residual stream with a branch added, with the norms around the sum.

    Parameters
    ----------
    x : ndarray, shape (n, d_model)
        The residual stream.
    branch : ndarray, shape (n, d_model)
        The output of an attention or of the feed-forward layer.
    of : str
        Which of the two, ``attention`` or ``feed``.
    parts : mapping of str to ndarray
        The layer's norms.
    architecture : Architecture
        What kind of norms they are.
    """
    branch = apply_norm(branch, f"{of}_output", parts, architecture)
    x = x + branch  # (n, d_model)
    return apply_norm(x, f"{of}_sum", parts, architecture, out=x)


def unembed(weights: Weights, architecture: Architecture, rows: Array) -> Array:
    """Return the logits of hidden states, shape (n, n_tokens), with bias and cap.

    Parameters
    ----------
    weights : Weights
        The tables.
    architecture : Architecture
        The bound of the logits, if they have one.
    rows : ndarray, shape (n, d_model)
        The hidden states after the final norm.

    Raises
    ------
    ValueError
        If the model predicts no tokens, or a logit is not finite.
    """
    head = architecture.head
    if head is not None and head.predicts != "tokens":
        raise ValueError(
            "The model must predict tokens. "
            f"Got {architecture.family} with a head for {head.what} instead."
        )
    if architecture.logit_scale != 1:
        rows = rows * np.float32(architecture.logit_scale)
    with one_blas_thread():
        if head is not None:
            rows = PredictionHead.of(weights, architecture).forward(rows)
        logits = weights.logits(rows)  # (n, n_tokens)
    if weights.has("logit_bias"):
        logits += weights.shared("logit_bias")  # (1, n_tokens)
    _check_logits(weights, logits)
    cap = architecture.logit_cap
    if cap is not None:
        logits = np.float32(cap) * np.tanh(logits / np.float32(cap))
    return logits


def classify(weights: Weights, architecture: Architecture, rows: Array) -> Array:
    """Return the logits of a head for classes, shape (m, n_labels).

    Parameters
    ----------
    weights : Weights
        Its layers.
    architecture : Architecture
        The architecture with the head.
    rows : ndarray, shape (m, d)
        What the head reads, see `OutputHead.read`.

    Raises
    ------
    ValueError
        If a logit is not finite.
    """
    with one_blas_thread():
        rows = PredictionHead.of(weights, architecture).forward(rows)
        logits = weights.logits(rows)  # (m, n_labels)
    _check_logits(weights, logits)
    return logits


def _check_logits(weights: Weights, logits: Array) -> None:
    """Check logits, and say which weights spoil them."""
    try:
        check_numbers("logits", logits)
    except ValueError as error:
        raise ValueError(f"{error}{weights.not_finite(None)}") from None
