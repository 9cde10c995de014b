"""Heads that look at the neighbourhood of the query."""

import numpy as np

from attnviewer.compute import Array
from attnviewer.models.detectors.patterns import pattern_score

WINDOW = 4
"""The largest distance of a key, in tokens."""


def local(weights: Array, window: int = WINDOW) -> Array:
    """Return the share of the attention within a window around each query.

    Σ(A ⊙ D) / ΣA with D_ij = 1 if |i − j| ≤ w, the query's own token included. In a
    text that is hardly longer than the window, every head is local.

    Parameters
    ----------
    weights : ndarray, shape (..., n, n)
        Attention weights A.
    window : int
        The largest distance w.

    Returns
    -------
    ndarray of float64, shape (...,)

    References
    ----------
    The pattern is the sliding window of Beltagy et al. 2020, "Longformer",
    arXiv:2004.05150; heads that learned it are the diagonal ones of Kovaleva et al.
    2019, "Revealing the Dark Secrets of BERT", arXiv:1908.08593.
    """
    places = np.arange(weights.shape[-1])
    distances = np.abs(places[:, np.newaxis] - places)  # (n, n)
    return pattern_score(weights, distances <= window)
