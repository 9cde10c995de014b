"""The weights and values of one head, as jobs read them."""

from dataclasses import dataclass

import numpy as np

from attnviewer.compute import Array, BoolArray
from attnviewer.compute.arrays import ALL
from attnviewer.compute.patterns import HeadWeights
from attnviewer.compute.patterns.reader import TileReader
from attnviewer.ui.state.heads import present_head
from attnviewer.ui.state.live import Computed

MOST_COPIED = 2**20
"""Weights up to so many are copied, and searched without being asked for."""


@dataclass(eq=False)
class CopiedWeights:
    """A copy of the weights of one head, as a `TileReader`.

    Parameters
    ----------
    weights : ndarray, shape (n_q, n_k)
        The weights.
    mask : ndarray of bool, shape (n_q, n_k), or None
        The cells that a mask hides.
    query_offset : int
        Position of the first query among the keys.
    """

    weights: Array
    mask: BoolArray | None
    query_offset: int
    by_tiles: bool = True

    @property
    def shape(self) -> tuple[int, int]:
        """Queries and keys."""
        n_q, n_k = self.weights.shape
        return n_q, n_k

    def window(self, rows: slice = ALL, columns: slice = ALL) -> Array:
        """Return some of the weights, shape (rows, columns)."""
        return self.weights[rows, columns]

    def hidden(self, rows: slice = ALL, columns: slice = ALL) -> BoolArray | None:
        """Return which cells a mask hides, (rows, columns); None without a mask."""
        return None if self.mask is None else self.mask[rows, columns]

    def reach(self, rows: slice) -> slice:
        """Return a range that holds every key to which some queries may attend."""
        return slice(0, self.weights.shape[1])


@dataclass(frozen=True, eq=False)
class Head:
    """One head of a computation.

    Parameters
    ----------
    computed : Computed
        The computation.
    number : int
        The head of the queries, counted from zero.
    weights : TileReader
        Its weights: a copy of few, or the live ones of many.
    query_offset : int
        Position of the first query among the keys.
    values : ndarray, shape (n_k, d_v)
        The values; a copy if that of the weights is one.
    """

    computed: Computed
    number: int
    weights: TileReader
    query_offset: int
    values: Array

    @property
    def tokens(self) -> tuple[str, ...] | None:
        """The tokens of the keys; None if the queries are not among them."""
        spec = self.computed.trace.spec
        return None if spec.context else self.computed.labels.keys


def shape_of(computed: Computed) -> tuple[int, int]:
    """Return how many queries and keys the weights have."""
    return computed.trace.matrix_shape(computed.trace.pipeline.weights)


def is_small(computed: Computed) -> bool:
    """Return whether a head of the weights is copied for a job."""
    n_q, n_k = shape_of(computed)
    return n_q * n_k <= MOST_COPIED


def is_withheld(computed: Computed) -> bool:
    """Return whether patterns would tell what nobody is to see yet."""
    steps = (*computed.trace.pipeline.mix.inputs, computed.trace.pipeline.mix.name)
    return not computed.withheld.isdisjoint(steps)


def read_head(computed: Computed, chosen: int) -> Head:
    """Return a head for a job, in the GUI thread.

    Few weights are copied. Many are read where they are: whoever changes numbers in
    place stops the job first, and waits until it has stopped.

    Parameters
    ----------
    computed : Computed
        The computation.
    chosen : int
        The chosen head; the last one if there are fewer.
    """
    trace = computed.trace
    number = present_head(trace, chosen)
    live = HeadWeights(trace, number)
    if not is_small(computed):
        return Head(computed, number, live, live.query_offset, live.values)
    hidden = live.hidden()
    mask = None if hidden is None else np.array(hidden)
    copied = CopiedWeights(np.array(live.window()), mask, live.query_offset)
    return Head(computed, number, copied, live.query_offset, np.array(live.values))
