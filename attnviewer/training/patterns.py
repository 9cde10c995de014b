"""Patterns of attention as targets: the keys that each query shall attend to."""

import numpy as np

from attnviewer.compute import Array, BoolArray
from attnviewer.training.sequences import Tokens


def previous(tokens: Tokens, visible: BoolArray) -> Array:
    """Return a 1 at the token before; the first token attends to itself."""
    n = len(visible)
    return np.eye(n)[np.maximum(np.arange(n) - 1, 0)]  # (n, n)


def mirrored(tokens: Tokens, visible: BoolArray) -> Array:
    """Return a 1 at the token as far from the end as the query is from the start."""
    return np.eye(len(visible))[::-1]  # (n, n)


def same(tokens: Tokens, visible: BoolArray) -> Array:
    """Return equal shares at the other visible occurrences of the query's token."""
    equal = tokens.queries[..., :, None] == tokens.keys[..., None, :]  # (..., n_q, n_k)
    if tokens.queries is tokens.keys:
        equal = equal & ~np.eye(len(visible), dtype=bool)
    return _shares(equal & visible, tokens)


def repeated(tokens: Tokens, visible: BoolArray) -> Array:
    """Return equal shares at the visible occurrences of tokens that occur again."""
    keys = tokens.keys
    count = (keys[..., :, None] == keys[..., None, :]).sum(axis=-1)  # (..., n_k)
    return _shares((count > 1)[..., None, :] & visible, tokens)


def _shares(wanted: BoolArray, tokens: Tokens) -> Array:
    """Return equal shares of 1 in each row, shape (..., n_q, n_k).

    Of one sequence, a query that wants no key attends to itself; of two, nothing is
    asked of it.
    """
    if tokens.queries is tokens.keys:
        alone = ~wanted.any(axis=-1, keepdims=True)  # (..., n, 1)
        wanted = wanted | (alone & np.eye(wanted.shape[-1], dtype=bool))
    total = wanted.sum(axis=-1, keepdims=True)  # (..., n_q, 1)
    shares: Array = wanted / np.maximum(total, 1)
    return shares
