"""Bias and mask that cover only the keys with a position, not extra keys."""

import numpy as np

from attnviewer.compute.arrays import Array, Index, Shape, sum_to


def widened(array: Array, n_keys: int, width: int, fill: float) -> Array:
    """Return an array over `n_keys` keys with `fill` for the extra ones after them.

    An array over all `width` keys, or with one column for all, is unchanged. With a
    single real key, one column counts as that key's.
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
    """Return the cell of an array of `shape` that is widened and broadcast to `index`.

    None at an extra key, which it does not cover.
    """
    if shape[-1:] == (n_keys,) and index[-1] >= n_keys:
        return None
    own = index[len(index) - len(shape) :]
    return tuple(0 if size == 1 else k for k, size in zip(own, shape, strict=True))
