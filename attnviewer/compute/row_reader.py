"""The steps of a computation, with what each query sees among the keys."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from attnviewer.compute.arguments import rows_or_columns
from attnviewer.compute.arrays import ALL, Array, BoolArray, Index
from attnviewer.compute.passes import row_blocks
from attnviewer.compute.steps import StepReader


class RowReader(StepReader):
    """Steps whose rows of scores can be asked what their queries see.

    The parameters are those of `StepReader`.
    """

    def visible_keys(
        self, rows: slice = ALL, *, head: int = 0, batch: int | Index = 0
    ) -> NDArray[np.intp]:
        """Return how many keys each query sees, shape (rows,).

        Those whose score is not −inf after bias and mask.

        Raises
        ------
        TypeError, ValueError
            If `rows` is no slice, or one with a step.
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

        They take all the weight, equally, as in the limit; e to +∞ minus the maximum,
        as NumPy computes it, would be NaN. False for all where the normaliser treats
        +∞ otherwise. Its parameters and errors are those of `visible_keys`.
        """
        normalize = self.pipeline.normalize
        shares = normalize.normalizer.shares_infinity
        blocks = self._normalized_scores(rows, head, batch)
        return np.concatenate(
            [shares & np.isposinf(block).any(axis=-1) for block in blocks]
        )

    def _normalized_scores(
        self, rows: slice, head: int, batch: int | Index
    ) -> Iterator[Array]:
        """Yield the scores of some queries as they are normalised, block by block."""
        step = self._weights.scores.steps[-1]
        for part in self._in_blocks(rows):
            yield self.window(step, part, head=head, batch=batch)

    def _in_blocks(self, rows: slice) -> list[slice]:
        """Return some queries block by block; at least one, be it empty."""
        rows = rows_or_columns("rows", rows)
        if rows.step not in (None, 1):
            raise ValueError(
                f"The 'rows' parameter must be a slice without a step. Got {rows} "
                "instead."
            )
        n_queries, n_keys = self.shape("weights")[-2:]
        first, last, _ = rows.indices(n_queries)
        return list(row_blocks(last, n_keys, first)) or [slice(first, first)]

    def blind(self, *, head: int = 0, batch: int | Index = 0) -> BoolArray:
        """Return which queries see no key at all, shape (n_q,).

        Their weights and their output are zero.
        """
        blind: BoolArray = self.visible_keys(head=head, batch=batch) == 0
        return blind
