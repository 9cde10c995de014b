"""The statistics and the similarity of heads, read block by block."""

from collections.abc import Sequence

import numpy as np

from attnviewer.compute.arrays import Array
from attnviewer.compute.head_statistics import HeadStatistics, head_statistics
from attnviewer.compute.row_statistics import RowStatistics, row_statistics
from attnviewer.compute.similarity import (
    products,
    similarity,
    square_roots_of_shares,
)
from attnviewer.compute.statistics import Limits, finite_limits
from attnviewer.compute.windowed import Folding, Windowed
from attnviewer.compute.windowed.strips import AT_ONCE


class HeadSurvey:
    """Reads several heads, a block of rows at a time.

    Parameters
    ----------
    matrices : sequence of Windowed
        At least one, all of the same shape.
    weights : bool
        Whether they are attention weights, which have statistics.
    query_offset : int or None
        Position of the first query among the keys; None where these are of another
        sequence.
    folding : Folding, optional
        How their rows and columns were combined, see `row_statistics`.
    """

    def __init__(
        self,
        matrices: Sequence[Windowed],
        *,
        weights: bool,
        query_offset: int | None = 0,
        folding: Folding | None = None,
    ) -> None:
        self._matrices = tuple(matrices)
        self._weights = weights
        self._offset = query_offset
        self._folding = folding
        self._n_rows, n_columns = self._matrices[0].shape
        self._next = 0
        cells = n_columns if folding is None else folding.cells // self._n_rows
        self._block = max(1, AT_ONCE // (len(self._matrices) * cells))
        self._rows: list[RowStatistics] = []
        self._products = np.zeros((len(self._matrices),) * 2)  # (n, n)
        self._limits: list[Limits | None] = [None] * len(self._matrices)
        self._statistics: HeadStatistics | None = None

    @property
    def done(self) -> bool:
        """Whether all rows have been read."""
        return self._next >= self._n_rows

    def advance(self) -> None:
        """Read the next rows of all heads."""
        rows = slice(self._next, min(self._next + self._block, self._n_rows))
        block = np.stack([m.window(rows) for m in self._matrices])  # (n, rows, n_k)
        if self._weights:
            found = row_statistics(
                block,
                first_query=rows.start,
                query_offset=self._offset,
                folding=self._folding,
            )
            self._rows.append(found)
            compared = square_roots_of_shares(block)  # (n, rows, n_k)
        else:
            ends = map(finite_limits, block)
            self._limits = list(map(_wider, self._limits, ends))
            # Hidden cells do not count.
            compared = np.where(np.isfinite(block), block, 0)  # (n, rows, n_k)
        self._products += products(compared)
        self._next = rows.stop
        self._statistics = None

    def statistics(self) -> HeadStatistics:
        """Return the statistics of the weights that were read, arrays of (n,)."""
        if self._statistics is None:
            rows = RowStatistics.concatenate(self._rows)
            self._statistics = head_statistics(rows)
        return self._statistics

    def limits(self) -> list[Limits | None]:
        """Return the limits of each head of a step that is not the weights."""
        return self._limits

    def similarity(self) -> Array:
        """Return the similarity of the heads, shape (n, n); see `similarity`."""
        return similarity(self._products)


def _wider(one: Limits | None, other: Limits | None) -> Limits | None:
    if one is None or other is None:
        return one or other
    return min(one[0], other[0]), max(one[1], other[1])
