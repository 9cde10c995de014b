"""The results of one pass over the weights of a head."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from attnviewer.compute.arrays import Array, BoolArray, IndexArray
from attnviewer.compute.patterns.counting import SINKS, Sums
from attnviewer.compute.patterns.sizes import SetSizes


@dataclass(frozen=True, eq=False)
class Marginals:
    """The attention of a head by query, key, distance and block.

    Of weights below zero, the size counts. Rows that are marked count nowhere.

    Attributes
    ----------
    weights, visible : Sums
        Sums of the weights, and counts of the cells that no mask hides.
    logarithms : ndarray, shape (n_q,)
        The sums of w · ln w.
    marked : ndarray of bool, shape (n_q,)
        The rows that hold NaN or an infinite number.
    query_offset : int
        Position of the first query among the keys.
    sizes : SetSizes
        The sizes of the sets, within this matrix.
    """

    weights: Sums
    visible: Sums
    logarithms: Array
    marked: BoolArray
    query_offset: int
    sizes: SetSizes

    @property
    def total(self) -> float:
        """All attention: the number of queries that see a key, for most rules."""
        return float(self.weights.rows.sum())

    @property
    def cells(self) -> int:
        """The number of cells that no mask hides."""
        return round(float(self.visible.rows.sum()))

    @property
    def received(self) -> Array:
        """The attention that each key receives from all queries, shape (n_k,)."""
        return self.weights.keys

    @cached_property
    def offsets(self) -> IndexArray:
        """All offsets from query to key, the lowest first, shape (n_q + n_k − 1,)."""
        n_q, n_k = len(self.weights.rows), len(self.weights.keys)
        return np.arange(1 - n_k, n_q) + self.query_offset

    @property
    def by_offset(self) -> Array:
        """The attention to each of the `offsets`, shape (n_q + n_k − 1,)."""
        return self.weights.offsets

    @cached_property
    def effective_keys(self) -> Array:
        """The effective keys of each query, e to the entropy, shape (n_q,).

        0 where a query sees no key, NaN where its row is marked.
        """
        total = self.weights.rows  # (n_q,)
        with np.errstate(all="ignore"):
            entropy = np.log(total) - self.logarithms / total
            effective = np.where(total > 0, np.exp(entropy.clip(0)), 0.0)
        effective[self.marked] = np.nan
        return effective

    @property
    def evenness(self) -> float:
        """The effective keys over the visible keys; NaN if no query sees two keys.

        The mean over the queries that see at least two keys.
        """
        seen, effective = self.visible.rows, self.effective_keys
        several = (seen > 1) & (effective > 0)
        if not several.any():
            return float("nan")
        return float((effective[several] / seen[several]).mean())

    def by_distance(self) -> tuple[IndexArray, Array]:
        """Return the attention by distance in bins that double.

        Returns
        -------
        starts : ndarray of intp, shape (bins,)
            The first distance of each bin, without its sign: 0, 1, 2, 4, 8, ...
        shares : ndarray, shape (bins,)
            The share of all attention at distances from there to the next bin.
        """
        distances = np.abs(self.offsets)
        bins = np.ceil(np.log2(distances + 1)).astype(np.intp)
        found = np.zeros(bins.max() + 1)
        np.add.at(found, bins, self.by_offset)
        starts = np.zeros(len(found), np.intp)
        starts[1:] = 2 ** np.arange(len(found) - 1)
        return starts, found / (self.total or 1.0)

    def top_keys(self, most: int, after: int = 0) -> IndexArray:
        """Return the keys that receive the most, the first of equal ones first.

        Parameters
        ----------
        most : int
            How many at most; keys that receive nothing are left out.
        after : int
            The first key that counts.
        """
        return _top(self.received[after:], most) + after

    def top_offsets(self, most: int, beyond: int = 0) -> IndexArray:
        """Return the offsets that receive the most, the lowest of equal ones first.

        Parameters
        ----------
        most : int
            How many at most; those that receive nothing are left out.
        beyond : int
            The smallest distance that counts.
        """
        far = np.where(np.abs(self.offsets) >= beyond, self.by_offset, 0)
        return self.offsets[_top(far, most)]

    def top_blocks(self, most: int) -> BoolArray:
        """Return which blocks of each row of blocks receive the most.

        Blocks that receive nothing are left out.

        Returns
        -------
        ndarray of bool, shape (rows of blocks, columns of blocks)
        """
        sums = self.weights.blocks
        order = self._block_order[:, :most]  # (rows of blocks, ≤ most)
        chosen = np.zeros(sums.shape, bool)
        np.put_along_axis(chosen, order, values=True, axis=1)
        return chosen & (sums > 0)

    @cached_property
    def _block_order(self) -> IndexArray:
        return np.argsort(-self.weights.blocks, axis=1, kind="stable")

    def of_blocks(self) -> tuple[Array, Array]:
        """Return attention and cells of the first k blocks of all rows, for k from 0.

        Returns
        -------
        attention, cells : ndarray, shape (columns of blocks + 1,)
            The blocks of each row that receive the most come first.
        """
        sums = self.weights.blocks
        counted = (np.where(sums > 0, part.blocks, 0) for part in self._both)
        attention, cells = (
            np.concatenate(
                [[0], np.take_along_axis(part, self._block_order, 1).sum(0).cumsum()]
            )
            for part in counted
        )
        return attention, cells

    @property
    def _both(self) -> tuple[Sums, Sums]:
        return self.weights, self.visible

    def of_streaming(self, sinks: int) -> tuple[Array, Array]:
        """Return attention and cells of a streaming pattern, for windows from 0.

        Parameters
        ----------
        sinks : int
            The first keys that are kept: 0, or one of `SINKS`.

        Returns
        -------
        attention, cells : ndarray, shape (windows,)
            By the window; the last one has all keys.
        """
        groups = SINKS.index(sinks) + 1 if sinks else 0
        distances = np.abs(self.offsets)
        curves = []
        for sums in self._both:
            first = sums.sinks[:groups].sum(axis=0)  # (n_offsets,)
            beside = np.bincount(distances, sums.offsets - first).cumsum()
            curves.append(first.sum() + np.concatenate([[0], beside]))
        attention, cells = curves
        return attention, cells


def _top(sums: Array, most: int) -> IndexArray:
    found = np.arange(sums.size)
    if 0 < most < sums.size:  # sorting all takes 100 times as long
        found = np.flatnonzero(sums >= np.partition(sums, -most)[-most])
    order = found[np.argsort(-sums[found], kind="stable")[:most]]
    return order[sums[order] > 0]
