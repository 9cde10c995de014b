"""Heads that lower the logits of the tokens they look at."""

import numpy as np

from attnviewer.compute import Array
from attnviewer.models.model import Model


def copy_suppression(weights: Array, moved: Array, own: Array) -> float:
    """Return how far a head writes against the tokens that it looks at.

    −Σ_ij A_ij cos(m_j, u_j − ū) / Σ_ij A_ij over all keys j but the first, with m_j
    what the head moves from key j to the logits, u_j the unembedding of token j and ū
    the mean of all. 1 if the head lowers exactly the logits of the tokens it looks at,
    −1 if it raises them, as a head that copies does.

    Whether earlier layers predict these tokens, the other half of the paper's
    definition, and what later layers make of the output are left out: ablate the head
    to see what it changes.

    Parameters
    ----------
    weights : ndarray, shape (n, n)
        Attention weights A.
    moved : ndarray, shape (n, d_model)
        v_j W_O after the final norm as a linear map.
    own : ndarray, shape (n, d_model)
        u_j − ū, see `mean_unembedding`.

    Returns
    -------
    float
        NaN if no key but the first gets attention.

    References
    ----------
    After McDougall et al. 2023, "Copy Suppression: Comprehensively Understanding an
    Attention Head", arXiv:2310.04625, which ranks the logits that the OV circuit
    writes; the cosine is a measure of our own.
    """
    lengths = np.linalg.norm(moved, axis=-1) * np.linalg.norm(own, axis=-1)  # (n,)
    along = np.einsum("jd,jd->j", moved, own)  # (n,)
    cosines = np.divide(along, lengths, out=np.zeros_like(along), where=lengths > 0)
    received = weights[:, 1:].sum(axis=0, dtype=np.float64)  # (n - 1,)
    total = received.sum()
    return float(-(received @ cosines[1:]) / total) if total else float("nan")


def mean_unembedding(model: Model) -> Array:
    """Return the mean of the unembedding over the vocabulary, shape (d_model,).

    Raises
    ------
    ValueError
        If the model predicts no tokens.
    """
    total = np.zeros(model.architecture.d_model)
    for _, rows in model.weights.blocks("unembedding"):
        total += rows.sum(axis=0, dtype=np.float64)
    mean: Array = total / model.architecture.n_tokens
    return mean
