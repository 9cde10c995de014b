"""The share of the attention on a given pattern."""

import numpy as np

from attnviewer.compute import Array
from attnviewer.compute.arrays import BoolArray


def pattern_score(weights: Array, pattern: BoolArray) -> Array:
    """Return the share of the attention that lies on a pattern, Σ(A ⊙ D) / ΣA.

    The score of TransformerLens' ``detect_head`` with ``error_measure="mul"``. All
    queries count, also those for which the pattern holds no key.

    Parameters
    ----------
    weights : ndarray, shape (..., n, n)
        Attention weights A.
    pattern : ndarray of bool, shape (n, n)
        The pattern D.

    Returns
    -------
    ndarray of float64, shape (...,)
        NaN where the pattern or the weights are all zero.
    """
    total = weights.sum((-2, -1), dtype=np.float64)  # (...,)
    if not pattern.any():
        return np.full_like(total, np.nan)
    on_it = np.where(pattern, weights, 0).sum((-2, -1), dtype=np.float64)  # (...,)
    with np.errstate(invalid="ignore"):
        score: Array = on_it / total
    return score
