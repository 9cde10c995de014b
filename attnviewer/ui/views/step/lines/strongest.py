"""The choice of the strongest weights, which are drawn as lines."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attnviewer.compute import Array, IndexArray


@dataclass(frozen=True, slots=True, eq=False)
class Links:
    """Weights that join a query and a key; arrays of one length.

    Parameters
    ----------
    heads, queries, keys : ndarray of int, shape (n,)
        Where each one is.
    weights : ndarray, shape (n,)
        The weights.
    """

    heads: IndexArray
    queries: IndexArray
    keys: IndexArray
    weights: Array

    def __len__(self) -> int:
        return len(self.weights)

    def take(self, which: IndexArray | NDArray[np.bool_]) -> "Links":
        """Return some of them."""
        return Links(
            self.heads[which],
            self.queries[which],
            self.keys[which],
            self.weights[which],
        )

    @staticmethod
    def concatenate(parts: Sequence["Links"]) -> "Links":
        """Return several one after the other."""
        none = np.zeros(0, np.intp)
        return Links(
            np.concatenate([none, *(part.heads for part in parts)]),
            np.concatenate([none, *(part.queries for part in parts)]),
            np.concatenate([none, *(part.keys for part in parts)]),
            np.concatenate([np.zeros(0), *(part.weights for part in parts)]),
        )


def strength(weights: Array) -> Array:
    """Return the size of each weight; nothing for NaN and ±inf, which no line shows."""
    return np.where(np.isfinite(weights), np.abs(weights), 0.0)


def links_from(
    weights: Array, threshold: float, head: int, corner: IndexArray
) -> Links:
    """Return the weights of a window that reach a threshold; never those of zero.

    Parameters
    ----------
    weights : ndarray, shape (queries, keys)
        A window of the weights.
    threshold : float
        The least size.
    head : int
        Whose weights they are.
    corner : ndarray of int, shape (2,)
        The window's first query and its first key.
    """
    size = strength(weights)  # (queries, keys)
    queries, keys = np.nonzero((size >= threshold) & (size > 0))
    return Links(
        np.full(len(queries), head, np.intp),
        queries + corner[0],
        keys + corner[1],
        weights[queries, keys],
    )


def strongest_of_rows(weights: Array, most: int) -> IndexArray:
    """Return the columns of the largest weights of each row, shape (rows, ≤ most).

    In no particular order.

    Parameters
    ----------
    weights : ndarray, shape (rows, columns)
        The weights; only their size counts.
    most : int
        How many of each row.
    """
    size = strength(weights)  # (rows, columns)
    columns = size.shape[1]
    if columns <= most:
        return np.broadcast_to(np.arange(columns), size.shape)
    split = columns - most
    return np.argpartition(size, split, axis=1)[:, split:]


def strongest(links: Links, most: int) -> Links:
    """Return the largest of them, at least one, the weakest first, which lies below."""
    size = np.abs(links.weights)  # (n,)
    if len(links) > most:
        split = len(links) - most
        links = links.take(np.argpartition(size, split)[split:])
        size = np.abs(links.weights)
    return links.take(np.argsort(size, kind="stable"))
