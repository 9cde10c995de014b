"""The choice of the weight to show first."""

import numpy as np

from attnviewer.compute import Array, Trace, telling_tokens, top_keys
from attnviewer.document import Labels
from attnviewer.ui.state.selection import Position

FIRST_QUERIES, FIRST_KEYS = 256, 8192
"""The first queries and keys, among whose weights one is chosen."""


def first_weight(trace: Trace, head: int, labels: Labels) -> Position:
    """Return the weight of a head that tells most, among the first tokens.

    Parameters
    ----------
    trace : Trace
        The steps.
    head : int
        The query head.
    labels : Labels
        The tokens.
    """
    first = slice(0, FIRST_QUERIES), slice(0, FIRST_KEYS)
    weights = trace.window("weights", *first, head=head)  # (≤ n_q, ≤ n_k)
    return telling_cell(weights, labels)


def telling_cell(weights: Array, labels: Labels) -> Position:
    """Return the strongest weight that tells something about the words.

    Many heads rest on the token itself, on the first key or on a separator, so these
    are passed over. Where no other key has any weight, the first query that sees
    several keys is taken, with its strongest one.

    Parameters
    ----------
    weights : ndarray, shape (n_q, n_k)
        The weights of one head.
    labels : Labels
        The tokens, at least as many as queries and keys.
    """
    n_queries, n_keys = weights.shape
    telling = np.isfinite(weights)  # (n_q, n_k)
    telling[:, 0] = False
    telling[~telling_tokens(labels.queries[:n_queries])] = False
    telling[:, ~telling_tokens(labels.keys[:n_keys])] = False
    if labels.queries == labels.keys:
        np.fill_diagonal(telling, False)
    sizes = np.where(telling, weights, 0.0)  # (n_q, n_k)
    query, key = divmod(int(np.argmax(sizes)), n_keys)
    if sizes[query, key] > 0:
        return query, key
    visible = np.count_nonzero(weights, axis=1)  # (n_q,)
    query = int(np.argmax(visible > 1))
    return query, top_keys(weights[query], 1)[0]
