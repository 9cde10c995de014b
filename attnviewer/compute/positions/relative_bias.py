"""Relative positions in buckets: exact while near, ever wider further away."""

import math
from bisect import bisect_left

import numpy as np
from numpy.typing import ArrayLike

from attnviewer.compute.arguments import any_array, whole_number
from attnviewer.compute.arrays import IndexArray


def relative_buckets(
    distances: ArrayLike,
    n_buckets: int = 32,
    max_distance: int = 128,
    *,
    bidirectional: bool = True,
) -> IndexArray:
    """Return the bucket of each distance, from 0 to ``n_buckets - 1``.

    Parameters
    ----------
    distances : array_like of int, any shape
        Position of the key minus position of the query, j − i.
    n_buckets : int
        Number of buckets.
    max_distance : int
        The distance from which on all share the last bucket.
    bidirectional : bool
        Half of the buckets for keys up to the query, the other half for keys after it.
        Otherwise keys after the query share bucket 0 with its own position.

    Returns
    -------
    ndarray of intp, shape of `distances`
        Of m buckets for one direction, the first m // 2 hold one distance each; the
        others grow with the logarithm of the distance.

    Raises
    ------
    TypeError, ValueError
        If an argument is not an integer, or there are too few buckets for the
        distances.

    References
    ----------
    Raffel et al. 2020, "Exploring the Limits of Transfer Learning with a Unified
    Text-to-Text Transformer" (T5), arXiv:1910.10683, section 2.1, and its published
    code.
    """
    exact = check_buckets(n_buckets, max_distance, bidirectional=bidirectional)
    apart = any_array("distances", distances)
    if apart.dtype.kind not in "iu":
        raise TypeError(
            f"The 'distances' must be whole numbers. Got {apart.dtype} instead."
        )
    count = n_buckets // 2 if bidirectional else n_buckets
    first = np.where(bidirectional & (apart > 0), count, 0)
    steps = np.abs(apart) if bidirectional else np.maximum(-apart, 0)
    # In single precision, as the published code: it decides at the edges.
    ratio = np.maximum(steps, exact).astype(np.float32) / np.float32(exact)
    share = np.log(ratio) / np.float32(math.log(max_distance / exact))
    wide = exact + (share * np.float32(count - exact)).astype(np.intp)
    own = np.where(steps < exact, steps, np.minimum(wide, count - 1))
    buckets: IndexArray = (first + own).astype(np.intp)
    return buckets


def bucket_edges(
    n_buckets: int, max_distance: int, *, bidirectional: bool
) -> tuple[int, ...]:
    """Return the least distance of each bucket of one direction but the first.

    A distance back, to a key before the query, is in bucket b if b of them are at most
    that distance.
    """

    def bucket(steps: int) -> int:
        back = relative_buckets(
            -steps, n_buckets, max_distance, bidirectional=bidirectional
        )
        return int(back)

    count = n_buckets // 2 if bidirectional else n_buckets
    every = range(max_distance + 1)
    return tuple(bisect_left(every, b, key=bucket) for b in range(1, count))


def check_buckets(n_buckets: int, max_distance: int, *, bidirectional: bool) -> int:
    """Return how many distances of a direction have a bucket of their own.

    Raises
    ------
    TypeError, ValueError
        If a number is not an integer, or too small.
    """
    least = 4 if bidirectional else 2
    exact = whole_number("n_buckets", n_buckets, least) // least
    if n_buckets % (2 if bidirectional else 1):
        raise ValueError(
            "The 'n_buckets' must be even, half of them for each direction. "
            f"Got {n_buckets} instead."
        )
    if whole_number("max_distance", max_distance, 1) <= exact:
        raise ValueError(
            f"The 'max_distance' must be above {exact}, the distances that have a "
            f"bucket of their own. Got {max_distance} instead."
        )
    return exact
