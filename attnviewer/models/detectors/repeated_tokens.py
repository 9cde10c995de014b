"""Heads that look at earlier occurrences of a token, or at what followed them."""

from collections.abc import Sequence

import numpy as np

from attnviewer.compute import Array
from attnviewer.compute.arrays import BoolArray
from attnviewer.models.detectors.patterns import pattern_score


def duplicate_token(weights: Array, ids: Sequence[int]) -> Array:
    """Return the share of the attention on earlier occurrences of the query's token.

    Σ(A ⊙ D) / ΣA with D_ij = 1 if j < i and token j is token i. All queries count, so
    that the score depends on how often tokens are repeated: compare heads over the
    same text.

    Parameters
    ----------
    weights : ndarray, shape (..., n, n)
        Attention weights A.
    ids : sequence of int, length n
        The tokens.

    Returns
    -------
    ndarray of float64, shape (...,)
        NaN if no token is repeated.

    References
    ----------
    Wang et al. 2023, "Interpretability in the Wild", arXiv:2211.00593 (duplicate token
    heads); the score is that of TransformerLens' ``detect_head``.
    """
    return pattern_score(weights, _earlier(ids))


def induction(weights: Array, ids: Sequence[int]) -> Array:
    """Return the share of the attention on what followed the query's token before.

    Σ(A ⊙ D) / ΣA with D_ij = 1 if j ≤ i and token j − 1 is an earlier occurrence of
    token i. All queries count; see `prefix_matching` for those with repeated tokens
    alone, and `occurrence_profile` for other places near the previous occurrence.

    Parameters
    ----------
    weights : ndarray, shape (..., n, n)
        Attention weights A.
    ids : sequence of int, length n
        The tokens.

    Returns
    -------
    ndarray of float64, shape (...,)
        NaN if no token is repeated.

    References
    ----------
    Olsson et al. 2022, "In-context Learning and Induction Heads", arXiv:2209.11895;
    the score is that of TransformerLens' ``detect_head``.
    """
    return pattern_score(weights, _followers(ids))


def prefix_matching(weights: Array, ids: Sequence[int]) -> Array:
    """Return the mean attention of repeated tokens to what followed them before.

    The mean of Σ_j A_ij over the queries i whose token occurred before, with j over all
    keys that follow an earlier occurrence of it: 1 if these get all of the attention.
    Olsson et al. average the single entries A_ij instead; that is less where a token
    occurred several times before, as its query divides its attention among them.

    Parameters
    ----------
    weights : ndarray, shape (..., n, n)
        Attention weights A; for the score of the paper those over repeated random
        tokens, see `repeated_random_tokens`.
    ids : sequence of int, length n
        The tokens.

    Returns
    -------
    ndarray of float64, shape (...,)
        NaN if no token is repeated.

    References
    ----------
    Olsson et al. 2022, "In-context Learning and Induction Heads", arXiv:2209.11895,
    "Head activation evaluators". The paper's "tokens that preceded the same token" are
    the keys that the same token precedes, as its erratum has it.
    """
    followers = _followers(ids)  # (n, n)
    repeated = followers.any(axis=-1)  # (n,)
    if not repeated.any():
        return np.full(weights.shape[:-2], np.nan)
    on_them = np.where(followers, weights, 0).sum(-1, dtype=np.float64)  # (..., n)
    score: Array = on_them[..., repeated].mean(axis=-1)
    return score


def has_repeated(ids: Sequence[int]) -> bool:
    """Return whether a token occurs more than once."""
    return len(set(ids)) < len(ids)


def _earlier(ids: Sequence[int]) -> BoolArray:
    """Return which keys are earlier occurrences of each query's token, (n, n)."""
    tokens = np.asarray(ids)
    same: BoolArray = np.tril(tokens[:, np.newaxis] == tokens, -1)
    return same


def _followers(ids: Sequence[int]) -> BoolArray:
    """Return which keys follow an earlier occurrence of each query's token, (n, n)."""
    earlier = _earlier(ids)
    followers = np.zeros_like(earlier)
    followers[:, 1:] = earlier[:, :-1]
    return followers
