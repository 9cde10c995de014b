"""Regrouping of weights for another number of key and value heads."""

import math

import numpy as np

from attnviewer.compute import Array, Spec

KEY_SIDE = ("W_K", "b_K", "W_KR", "b_KR", "W_V", "b_V")
"""The matrices whose columns are divided among the heads of keys and values."""


def can_regroup(values: Array, old: Spec, new: Spec) -> bool:
    """Return whether the columns divide evenly among the heads of both specs.

    Parameters
    ----------
    values : ndarray, shape (rows, columns)
        One of `KEY_SIDE`.
    old, new : Spec
        Before and after.
    """
    width, rest = divmod(values.shape[1], old.kv_heads)
    if old.n_heads == new.n_heads:
        return bool(rest == 0)
    return bool(rest == 0 and width * old.n_heads % new.n_heads == 0)


def regrouped(values: Array, old: Spec, new: Spec) -> Array:
    """Return weights of keys or values for another number of key heads.

    A shared head is repeated for each head that used it, which changes no score; heads
    that are merged become their mean (Ainslie et al. 2023, "GQA", section 2.1).

    Parameters
    ----------
    values : ndarray, shape (rows, n_kv_heads · d)
        One of `KEY_SIDE`, see `can_regroup`.
    old, new : Spec
        Before and after; where `n_heads` differs, the number of columns stays.

    Returns
    -------
    ndarray, shape (rows, any)
        With the columns of `new.kv_heads` heads.
    """
    rows = len(values)
    heads = values.reshape(rows, old.kv_heads, -1)  # (rows, h_kv, d)
    # No more copies than needed: the mean of equal numbers may differ from them.
    copied = (
        math.lcm(old.kv_heads, new.kv_heads)
        if old.n_heads == new.n_heads
        else old.n_heads
    )
    full = np.repeat(heads, copied // old.kv_heads, axis=1)  # (rows, copied, d)
    if old.n_heads != new.n_heads:
        copied = new.n_heads
    grouped = full.reshape(rows, new.kv_heads, copied // new.kv_heads, -1)
    alone = grouped.shape[2] == 1
    merged: Array = grouped if alone else grouped.mean(axis=2)
    return merged.reshape(rows, -1)  # (rows, columns)
