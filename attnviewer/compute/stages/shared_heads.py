"""Heads of keys and values that several heads of queries share; see `head_groups`."""

import numpy as np

from attnviewer.compute.arrays import Array, Index, Shape


def shared_by(queries: Shape, keys: Shape) -> int:
    """Return how many heads of queries share one head of keys."""
    return queries[-3] // keys[-3] if len(queries) > 2 else 1


def shared_index(lead: Index, group: int) -> Index:
    """Return the index of the keys that serve the queries at `lead`."""
    return (*lead[:-1], lead[-1] // group) if lead else lead


def share(array: Array, lead: Index, group: int) -> Array:
    """Return the keys or values that serve the queries at `lead`."""
    if group > 1 and not lead:
        return np.repeat(array, group, axis=-3)
    shared: Array = array[shared_index(lead, group)]
    return shared


def gather(gradient: Array, group: int) -> Array:
    """Sum the gradients (..., h, n, d) of heads that share one to (..., h_kv, n, d)."""
    if group == 1:
        return gradient
    *lead, n_heads, n, d = gradient.shape
    groups = gradient.reshape(*lead, n_heads // group, group, n, d)
    gathered: Array = groups.sum(axis=-3)
    return gathered
