"""Heads that copy from a passage far back."""

from collections.abc import Sequence

import numpy as np

from attnviewer.compute import Array


def retrieval(weights: Array, ids: Sequence[int], needle: range) -> Array:
    """Return the share of a passage's tokens that a head looks at as they are copied.

    (positions in both g and k) / (positions in k): k are the positions of the passage,
    the needle, and g those that get the largest weight of the query before a token that
    is the same one. The paper lets the model generate the answer; here it is what
    follows the needle in the text, which must hold its tokens again.

    Parameters
    ----------
    weights : ndarray, shape (..., n, n)
        Attention weights.
    ids : sequence of int, length n
        The tokens.
    needle : range
        The positions of the needle.

    Returns
    -------
    ndarray of float64, shape (...,)

    References
    ----------
    Wu et al. 2024, "Retrieval Head Mechanistically Explains Long-Context Factuality",
    arXiv:2404.15574, section 2; 0.1 and more make a retrieval head there.
    """
    tokens = np.asarray(ids)
    queries = np.arange(needle.stop - 1, len(tokens) - 1)
    top = weights[..., queries, :].argmax(axis=-1)  # (..., queries)
    copied = tokens[top] == tokens[queries + 1]  # (..., queries)
    place = np.array(needle)[:, np.newaxis]  # (needle, 1)
    found = (top[..., np.newaxis, :] == place) & copied[..., np.newaxis, :]
    share: Array = found.any(axis=-1).mean(axis=-1)  # (...,)
    return share
