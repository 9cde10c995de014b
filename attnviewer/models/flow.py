"""Attention flow: how much could pass from a token to a layer at most."""

from collections.abc import Iterator

import numpy as np

from attnviewer.compute import Array
from attnviewer.compute.signatures import short_signature
from attnviewer.models.grid import Grid
from attnviewer.models.mixing import layers_up_to, mixing, token_labels
from attnviewer.models.trace import ModelTrace

MOST_TOKENS = 64
"""The longest sentence: each pair of tokens is a maximum flow of its own."""
_UNIT = 2**30
"""A capacity of 1; capacities are integers."""


@short_signature
def flow(run: ModelTrace, layer: int | None = None) -> Grid:
    """Return the maximum flow from each token after a layer to each of the sentence.

    The network has a node for each token before the first and after each layer. The
    edge from token i after a layer to token j before it has the capacity
    Ã_ij = (A_ij + I_ij) / 2, A being the mean of the heads' weights. A flow is limited
    by the narrowest place of its paths, where `rollout` multiplies along them. Each
    pair is computed by itself, so that rows do not sum to 1; the authors' program
    divides them by their sum. Capacities are rounded to 2⁻³⁰.

    It leaves out the values and W_O, the feed-forward layers and the norms.

    Parameters
    ----------
    run : ModelTrace
        The run, of at most 64 tokens.
    layer : int, optional
        The last layer, counted from zero; by default that of the model.

    Returns
    -------
    Grid
        By token after the layer × token of the sentence.

    Raises
    ------
    IndexError
        If there is no such layer.
    ValueError
        If there are more tokens, or a number up to the layer is not finite.

    References
    ----------
    Abnar and Zuidema 2020, "Quantifying Attention Flow in Transformers",
    arXiv:2005.00928.

    Examples
    --------
    >>> from attnviewer import models
    >>> run = models.load("all-MiniLM-L6-v2").run("So tired.")  # doctest: +SKIP
    >>> models.flow(run).to_pandas()  # doctest: +SKIP
    """
    layers, labels = layers_up_to(run, layer), token_labels(run)
    title = f"Attention flow up to layer {layers[-1]}"
    values = np.array(list(flow_rows(run, layer)))  # (n, n)
    return Grid(values, labels, labels, title, axes=("token", "from token"))


def flow_rows(run: ModelTrace, layer: int | None = None) -> Iterator[Array]:
    """Yield the rows of `flow` as they are computed, each of shape (n,).

    Raises
    ------
    IndexError, ValueError
        As `flow` does.
    """
    n = len(run.ids)
    if n > MOST_TOKENS:
        raise ValueError(
            f"The sentence must have at most {MOST_TOKENS} tokens for its attention "
            f"flow. Got {n} instead; rollout has no such limit."
        )
    layers = layers_up_to(run, layer)
    yield from maximum_flows(np.array([mixing(run, number) for number in layers]))


def maximum_flows(capacities: Array) -> Iterator[Array]:
    """Yield the maximum flows from each token after the last layer to all at first.

    Parameters
    ----------
    capacities : ndarray, shape (layers, n, n)
        From token i after each layer to token j before it, at most 1.

    Yields
    ------
    ndarray of float64, shape (n,)
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_flow

    layers, n, _ = capacities.shape
    edges = np.zeros(((layers + 1) * n, (layers + 1) * n), np.int32)
    for layer, below in enumerate(np.rint(capacities * _UNIT)):
        start = layer * n
        edges[start + n : start + 2 * n, start : start + n] = below
    network = csr_array(edges)
    for i in range(n):
        flows = [maximum_flow(network, layers * n + i, j).flow_value for j in range(n)]
        yield np.array(flows) / _UNIT
