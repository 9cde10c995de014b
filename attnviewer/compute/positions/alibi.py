"""Attention with linear biases: the further away a key, the lower its score."""

import numpy as np

from attnviewer.compute.arguments import whole_number
from attnviewer.compute.arrays import Array


def alibi_slopes(n_heads: int) -> Array:
    """Return how steeply each head's bias falls with the distance.

    Parameters
    ----------
    n_heads : int
        Number of heads, at least 1.

    Returns
    -------
    ndarray of float64, shape (n_heads,)
        2^(−8k / n_heads) for k = 1 … n_heads where that is a power of two.
        Otherwise the slopes of the next smaller power of two, followed by every
        other slope, from the first, of twice that many heads.

    Raises
    ------
    TypeError, ValueError
        If `n_heads` is not an integer, or less than 1.

    References
    ----------
    Press et al. 2022, "Train Short, Test Long: Attention with Linear Biases
    Enables Input Length Extrapolation", section 3; the authors' published code for
    other numbers than powers of two.
    """
    n_heads = whole_number("n_heads", n_heads, 1)
    closest = 2 ** (n_heads.bit_length() - 1)
    slopes = _geometric(closest)  # (closest,)
    between = _geometric(2 * closest)[::2]  # (closest,)
    return np.concatenate([slopes, between[: n_heads - closest]])  # (n_heads,)


def alibi_bias(n_heads: int, n_q: int, n_k: int, *, query_offset: int = 0) -> Array:
    """Return the biases to add to the scores, before softmax.

    Parameters
    ----------
    n_heads, n_q, n_k : int
        Numbers of heads, queries and keys, at least 1.
    query_offset : int
        Position of the first query among the keys; ``n_k - n_q`` with a KV cache.

    Returns
    -------
    ndarray of float64, shape (n_heads, n_q, n_k)
        −slope · (i − j) for all i and j, where i is the row plus `query_offset`.
        Meant for a causal mask: for keys after the query it is positive. Bloom adds
        slope · j instead, larger by slope · i in the whole row, which gives the same
        weights after softmax.

    Raises
    ------
    TypeError, ValueError
        If an argument is not an integer, or a number is less than 1.

    References
    ----------
    Press et al. 2022, "Train Short, Test Long: Attention with Linear Biases
    Enables Input Length Extrapolation", section 3.
    """
    slopes = alibi_slopes(n_heads)[:, np.newaxis, np.newaxis]  # (h, 1, 1)
    n_q, n_k = whole_number("n_q", n_q, 1), whole_number("n_k", n_k, 1)
    first = whole_number("query_offset", query_offset)
    queries, keys = np.ogrid[first : first + n_q, :n_k]  # (n_q, 1), (1, n_k)
    bias: Array = slopes * (keys - queries)  # (h, n_q, n_k)
    return bias


def _geometric(n_heads: int) -> Array:
    heads = np.arange(1.0, n_heads + 1)  # (n_heads,)
    slopes: Array = np.exp2(-8.0 / n_heads * heads)  # (n_heads,)
    return slopes
