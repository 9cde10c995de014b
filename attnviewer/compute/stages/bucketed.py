"""A learned number for each bucket of distances, added to the scores."""

from dataclasses import dataclass

import numpy as np

from attnviewer.compute.arrays import Array, IndexArray, Part
from attnviewer.compute.positions import RelativeBias, relative_buckets
from attnviewer.compute.stages.by_distance import add_by_distance
from attnviewer.compute.stages.offsets import (
    PerItem,
    key_positions,
    query_positions,
)


@dataclass(frozen=True, slots=True)
class Bucketed:
    """The bias of a table (n_buckets, h) on the scores of each pair.

    Parameters
    ----------
    scheme : RelativeBias
        The buckets.
    query_offset : int or tuple of int
        The position of the first query.
    n_keys : int
        Keys that have a position; those after them get nothing.

    References
    ----------
    Raffel et al. 2020 (T5), arXiv:1910.10683, section 2.1.
    """

    scheme: RelativeBias
    query_offset: PerItem
    n_keys: int

    def buckets(self, scores: Array, part: Part) -> IndexArray:
        """Return the bucket of each pair of a window, shape (..., rows, columns).

        For the extra keys after the others, `n_buckets`, which is no bucket.
        """
        queries = query_positions(scores, part, self.query_offset)  # (..., rows, 1)
        keys = key_positions(scores, part)  # (columns,)
        own = self._of_distances(keys - queries)
        placed: IndexArray = np.where(keys < self.n_keys, own, self.scheme.n_buckets)
        return placed

    def _of_distances(self, away: IndexArray) -> IndexArray:
        scheme = self.scheme
        return relative_buckets(
            away,
            scheme.n_buckets,
            scheme.max_distance,
            bidirectional=scheme.bidirectional,
        )

    def add(self, scores: Array, part: Part, table: Array) -> None:
        """Add the numbers of a table to a window of the scores, in place."""
        head: int | IndexArray = part.lead[-1] if part.lead else 0
        if scores.ndim > 2:
            head = np.arange(table.shape[1])[:, np.newaxis, np.newaxis]  # (h, 1, 1)

        def numbers(away: IndexArray) -> Array:
            of_pairs: Array = table[self._of_distances(away), head]
            return of_pairs  # (..., rows, columns)

        add_by_distance(scores, part, self.query_offset, self.n_keys, numbers)

    def on_table(self, gradient: Array, table: Array) -> Array:
        """Return the gradient on the table, given that on all scores."""
        *_, n_q, n_k = gradient.shape
        n_buckets, n_heads = table.shape
        per_head = gradient.reshape(-1, n_heads, n_q, n_k)  # (batch, h, n_q, n_k)
        buckets = self.buckets(gradient, Part())  # (n_q, n_k) or (..., 1, n_q, n_k)
        wide = np.broadcast_to(buckets, gradient.shape).reshape(per_head.shape)
        summed = np.zeros((n_buckets + 1, n_heads), gradient.dtype)
        heads = np.arange(n_heads)[:, np.newaxis, np.newaxis]  # (h, 1, 1)
        np.add.at(summed, (wide, np.broadcast_to(heads, wide.shape)), per_head)
        return summed[:n_buckets].astype(table.dtype)
