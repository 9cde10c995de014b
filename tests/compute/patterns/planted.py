"""Heads of a known pattern, as dense matrices of weights."""

import numpy as np

from attnviewer.compute import Array


def causal_softmax(scores: Array) -> Array:
    """Return the weights of scores, of which each query sees its own key at most."""
    hidden = np.triu(np.ones(scores.shape, bool), 1)
    kept = np.exp(np.where(hidden, -np.inf, scores))
    return kept / kept.sum(axis=1, keepdims=True)


def streaming_head(rng, n: int, sinks: int, window: int) -> Array:
    """Return a head that attends to the first keys and to the last ones."""
    distances = np.subtract.outer(np.arange(n), np.arange(n))
    kept = (np.arange(n) < sinks) | (distances < window)
    return causal_softmax(np.where(kept, 8.0, 0.0) + rng.normal(0, 0.3, (n, n)))


def vertical_slash_head(rng, n: int, keys: int, offsets: int) -> Array:
    """Return a head that attends to some keys and to some offsets."""
    distances = np.subtract.outer(np.arange(n), np.arange(n))
    chosen = rng.choice(np.arange(n // 16, n // 2), keys, replace=False)
    slashes = [0, *rng.choice(np.arange(n // 16, n // 2), offsets, replace=False)]
    kept = np.isin(np.arange(n), chosen) | np.isin(distances, slashes)
    return causal_softmax(np.where(kept, 10.0, 0.0) + rng.normal(0, 0.3, (n, n)))


def block_head(rng, n: int, block: int, blocks: int) -> Array:
    """Return a head that attends to its own block and to some others."""
    count = n // block
    kept = np.eye(count, dtype=bool)
    for row in range(1, count):
        kept[row, rng.choice(row, min(row, blocks), replace=False)] = True
    cells = np.kron(kept, np.ones((block, block), bool))
    return causal_softmax(np.where(cells, 10.0, 0.0) + rng.normal(0, 0.3, (n, n)))


def retrieval_head(rng, n: int) -> Array:
    """Return a head that attends to one distant key, another for each query."""
    weights = np.zeros((n, n))
    weights[0, 0] = 1
    for query in range(1, n):
        weights[query, rng.integers(0, query)] = 1
    return weights
