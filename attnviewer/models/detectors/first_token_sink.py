"""Heads whose queries leave their attention on the first token."""

import numpy as np

from attnviewer.compute import Array

EPSILON = 0.3
"""The threshold of the paper."""


def first_token_sink(weights: Array, epsilon: float = EPSILON) -> Array:
    """Return 1 where the first token is an attention sink, else 0.

    1 if (1/n) Σ_i A_i0 > ε: the threshold is for the mean over the queries, not for
    each of them. The paper's sink rate is the mean of this over texts and heads; over
    several texts it is the share of those in which the head has the sink.

    Parameters
    ----------
    weights : ndarray, shape (..., n, n)
        Attention weights A.
    epsilon : float
        The threshold ε.

    Returns
    -------
    ndarray of float64, shape (...,)

    References
    ----------
    Gu et al. 2025, "When Attention Sink Emerges in Language Models: An Empirical View",
    arXiv:2410.10781: Sink₁^ε, over texts of 64 tokens with ε = 0.3.
    """
    mean = weights[..., 0].mean(axis=-1, dtype=np.float64)  # (...,)
    sink: Array = np.where(np.isnan(mean), np.nan, mean > epsilon)
    return sink
