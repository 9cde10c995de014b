"""Steps of a computation that can also be asked which keys each query sees."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from attnviewer.compute.arguments import rows_or_columns
from attnviewer.compute.arrays import ALL, Array, BoolArray, Index
from attnviewer.compute.row_blocks import row_blocks
from attnviewer.compute.steps import StepReader


class RowReader(StepReader):
    """Steps that can be asked which keys each query sees.

    The parameters are those of `StepReader`.
    """

    def visible_keys(
        self, rows: slice = ALL, *, head: int = 0, batch: int | Index = 0
    ) -> NDArray[np.intp]:
        """Return the number of visible keys of each query, shape (rows,).

        A key is visible where its score after bias and mask is not −inf.

        Raises
        ------
        TypeError, ValueError
            If `rows` is not a slice, or has a step.
        IndexError
            If there is no such head or batch item.
        """
        blocks = self._normalized_scores(rows, head, batch)
        return np.concatenate(
            [np.count_nonzero(~np.isneginf(block), axis=-1) for block in blocks]
        )

    def infinite_rows(
        self, rows: slice = ALL, *, head: int = 0, batch: int | Index = 0
    ) -> BoolArray:
        """Return which queries share their weight among scores of +∞, shape (rows,).

        These scores share all the weight equally, which is the limit; the plain formula
        would give NaN. False for all where the normaliser treats +∞ otherwise.
        Parameters and errors are those of `visible_keys`.
        """
        shares = any(
            stage.normalizer.shares_infinity and not stage.mistake
            for stage in self.pipeline.normalizing
        )
        blocks = self._normalized_scores(rows, head, batch)
        return np.concatenate(
            [shares & np.isposinf(block).any(axis=-1) for block in blocks]
        )

    def reach(
        self, rows: slice = ALL, *, head: int = 0, batch: int | Index = 0
    ) -> slice:
        """Return a range that holds every key to which some queries may attend.

        Beyond it, their weights are zero. Parameters and errors are those of
        `visible_keys`.
        """
        lead = self._lead(self.pipeline.weights, head, batch)
        blocks = self._in_blocks(rows)
        first, stop = blocks[0].start, blocks[-1].stop
        if first >= stop:
            return slice(0, 0)
        return self._weights.reach(lead, slice(first, stop))

    def _normalized_scores(
        self, rows: slice, head: int, batch: int | Index
    ) -> Iterator[Array]:
        """Yield the scores of some queries that are normalised, block by block."""
        step = self._weights.scores.steps[-1]
        for part in self._in_blocks(rows):
            yield self.window(step, part, head=head, batch=batch)

    def _in_blocks(self, rows: slice) -> list[slice]:
        """Return ranges of queries block by block; at least one, possibly empty."""
        rows = rows_or_columns("rows", rows)
        if rows.step not in (None, 1):
            raise ValueError(
                f"The 'rows' parameter must be a slice without a step. Got {rows} "
                "instead."
            )
        n_queries, n_keys = self.shape(self.pipeline.weights)[-2:]
        first, last, _ = rows.indices(n_queries)
        return list(row_blocks(last, n_keys, first)) or [slice(first, first)]

    def blind(self, *, head: int = 0, batch: int | Index = 0) -> BoolArray:
        """Return which queries see no key, shape (n_q,).

        Their weights and output are zero.
        """
        blind: BoolArray = self.visible_keys(head=head, batch=batch) == 0
        return blind
