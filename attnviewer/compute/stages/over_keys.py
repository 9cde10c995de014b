"""Bias and mask as wide as the keys that have a place, beside extra keys."""

import numpy as np

from attnviewer.compute.arrays import Array, Index, Shape, sum_to


def widened(array: Array, n_keys: int, width: int, fill: float) -> Array:
    """Return an array over `n_keys` keys with `fill` for the extra ones after them.

    One that speaks of all `width` keys, or of all alike, stays as it is. One
    column beside a single real key counts as that key's.
    """
    if n_keys == width or array.shape[-1:] != (n_keys,):
        return array
    padding = [(0, 0)] * (array.ndim - 1) + [(0, width - n_keys)]
    return np.pad(array, padding, constant_values=fill)


def narrowed(gradient: Array, shape: Shape, n_keys: int) -> Array:
    """Return the gradient on an array of `shape` that was widened and broadcast."""
    if shape[-1:] == (n_keys,):
        gradient = gradient[..., :n_keys]
    return sum_to(gradient, shape)


def broadcast_index(index: Index, shape: Shape, n_keys: int) -> Index | None:
    """Return which cell of an array of `shape` is widened and broadcast to `index`.

    None where it holds nothing for it: at an extra key.
    """
    if shape[-1:] == (n_keys,) and index[-1] >= n_keys:
        return None
    own = index[len(index) - len(shape) :]
    return tuple(0 if size == 1 else k for k, size in zip(own, shape, strict=True))
