"""Directions of the residual stream compared with every token, block by block."""

from collections.abc import Iterator

import numpy as np

from attnviewer.compute import Array
from attnviewer.compute.numbers import check_numbers
from attnviewer.compute.threads import product
from attnviewer.models.circuits.linear_norm import LinearNorm
from attnviewer.models.forward_pass import quiet
from attnviewer.models.model import Model


def embedded(model: Model, directions: Array) -> Iterator[Array]:
    """Yield W_E times directions, (m, k) for each block of m tokens.

    The linear part of a norm after the embedding, and a projection to the width of the
    model, are folded in.

    Parameters
    ----------
    model : Model
        The model.
    directions : ndarray, shape (d_model, k)
        Directions that are read from the stream.

    Raises
    ------
    ValueError
        If a product is not finite.
    """
    architecture, weights = model.architecture, model.weights
    after, before = (
        LinearNorm.of(name, weights.norm(name), architecture)
        for name in ("projected", "embedding")
    )
    read = after.fold(directions)  # (d_model, k)
    if projection := weights.dense("embedding"):
        read = projection["W"] @ read  # (d_embedding, k)
    read = architecture.embedding_scale * before.fold(read)
    read = read.astype(np.float32)
    for _, rows in weights.blocks("tokens"):
        yield _products("token embeddings", rows, read)


def unembedded(model: Model, directions: Array) -> Iterator[Array]:
    """Yield the logits of directions, (m, k) for each block of m tokens.

    The linear part of the final norm is folded in.

    Parameters
    ----------
    model : Model
        The model.
    directions : ndarray, shape (d_model, k)
        Directions that are written into the stream.

    Raises
    ------
    ValueError
        If the model predicts no tokens, or a product is not finite.
    """
    architecture, weights = model.architecture, model.weights
    norm = LinearNorm.of("final", weights.norm("final"), architecture)
    written = norm.apply(directions.T).T.astype(np.float32)  # (d_model, k)
    for _, rows in weights.blocks("unembedding"):
        yield _products("unembedding", rows, written)


@quiet
def _products(table: str, rows: Array, directions: Array) -> Array:
    """Return the products of a table's rows with directions, (m, k)."""
    products = product(rows, directions)
    check_numbers(f"products with the {table}", products)
    return products
