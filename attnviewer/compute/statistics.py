"""Statistics of a row of attention weights."""

import math
from typing import TypeAlias

import numpy as np

from attnviewer.compute.arrays import Array

Limits: TypeAlias = tuple[float, float]
"""The smallest and the largest number."""


def row_sums(weights: Array) -> Array:
    """Return the sum of each row, shape (..., n_q)."""
    sums: Array = weights.sum(axis=-1)  # (..., n_q)
    return sums


def entropy(weights: Array) -> Array:
    """Return the Shannon entropy of each row in bits.

    Parameters
    ----------
    weights : ndarray, shape (..., n_q, n_k)
        Attention weights.

    Returns
    -------
    ndarray, shape (..., n_q)
        −Σ w log₂ w with 0 log 0 = 0; NaN for a row with a negative weight, which is
        not a distribution.

    References
    ----------
    Shannon 1948, "A Mathematical Theory of Communication", section 6.
    """
    with np.errstate(invalid="ignore"):
        logarithms = np.log2(weights, out=np.zeros_like(weights), where=weights != 0)
    # Adding 0.0 turns the −0.0 of a one-hot row into 0.0.
    bits: Array = -(weights * logarithms).sum(axis=-1) + 0.0  # (..., n_q)
    return bits


def top_keys(weights: Array, count: int) -> list[int]:
    """Return the keys with the largest weights of one row, largest first.

    Parameters
    ----------
    weights : ndarray, shape (n_k,)
        One query's weights.
    count : int
        How many keys at most.
    """
    order = np.argsort(-weights, kind="stable")  # (n_k,)
    return [int(key) for key in order[:count]]


def ends(values: Array) -> Limits:
    """Return the smallest and the largest of some numbers; NaN if any is."""
    return float(values.min()), float(values.max())


def finite_limits(values: Array, known: Limits | None = None) -> Limits | None:
    """Return the smallest and the largest finite number; None if there is none.

    Parameters
    ----------
    values : ndarray
        The numbers.
    known : tuple of two float, optional
        Their `ends`, where these are known.
    """
    if values.size == 0:
        return None
    low, high = known or ends(values)
    if not (math.isfinite(low) and math.isfinite(high)):
        finite = values[np.isfinite(values)]
        if finite.size == 0:
            return None
        low, high = float(finite.min()), float(finite.max())
    return low, high
