"""The loss from computing only some cells."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from attnviewer.compute.arguments import flag, rows_or_columns
from attnviewer.compute.arrays import Array
from attnviewer.compute.patterns.comparing import Costs, Part
from attnviewer.compute.patterns.kept import Kept
from attnviewer.compute.patterns.reader import (
    TileReader,
    checked_values,
    offset_of,
    row_parts,
    tile_reader,
)
from attnviewer.compute.patterns.running import Run, reporting, run_in_threads
from attnviewer.compute.progress import Progress
from attnviewer.compute.row_blocks import rows_at_once
from attnviewer.compute.signatures import short_signature
from attnviewer.compute.windowed import Windowed
from attnviewer.compute.windowed.strips import strips

_FEW = 32
"""Whole rows that are read at a time."""
_PARTS = 4
"""Into how many parts even few rows are cut, for threads to share."""


@dataclass(frozen=True, eq=False)
class KeptCosts:
    """The kept attention of some queries, and the change of their output.

    Attributes
    ----------
    kept_by_row : ndarray, shape (rows,)
        The share of each query's attention that is kept; 1 where it attends to no key,
        NaN where its row is marked.
    cells, visible_cells : int
        How many cells are computed, and how many no mask hides.
    difference, norm : ndarray, shape (rows,)
        The Euclidean norm of the change of each output, and of the output itself.
    largest_error : float
        The largest change of a number of the output.
    n_marked : int
        How many rows hold NaN or an infinite number, and count nowhere.
    """

    kept_by_row: Array
    cells: int
    visible_cells: int
    difference: Array
    norm: Array
    largest_error: float
    n_marked: int

    @staticmethod
    def of(found: Sequence[Part]) -> "KeptCosts":
        """Return the costs of all rows from those of blocks, in order."""
        shares = np.concatenate([part.kept for part in found])
        return KeptCosts(
            shares,
            sum(part.cells for part in found),
            sum(part.visible for part in found),
            np.concatenate([part.difference for part in found]),
            np.concatenate([part.norm for part in found]),
            max(part.largest for part in found),
            int(np.isnan(shares).sum()),
        )

    @property
    def mean(self) -> float:
        """The share of attention that is kept, on average over the queries."""
        known = self.kept_by_row[~np.isnan(self.kept_by_row)]
        return float(known.mean()) if known.size else float("nan")

    @property
    def lowest(self) -> float:
        """The share of attention that is kept of the query that keeps least."""
        known = self.kept_by_row[~np.isnan(self.kept_by_row)]
        return float(known.min()) if known.size else float("nan")

    @property
    def cell_share(self) -> float:
        """The share of the visible cells that is computed."""
        return self.cells / self.visible_cells if self.visible_cells else 1.0

    @property
    def relative_error(self) -> float:
        """The norm of the change of all outputs over that of the outputs."""
        change, norm = (
            float(np.sqrt(np.nansum(part**2))) for part in (self.difference, self.norm)
        )
        if not norm:
            return float("inf") if change else 0.0
        return change / norm


@short_signature
def kept_costs(
    matrix: TileReader | Windowed | Array,
    kept: Kept,
    values: Array,
    *,
    rows: slice | None = None,
    query_offset: int | None = None,
    renormalize: bool = True,
    progress: Progress | None = None,
    run: Run = run_in_threads,
) -> KeptCosts:
    """Return what is lost if only some cells of the weights are computed.

    Parameters
    ----------
    matrix : HeadWeights, Windowed, or ndarray of shape (n_q, n_k)
        The weights.
    kept : Streaming, VerticalSlash, BlockSparse, TopK or Full
        The cells that are computed.
    values : ndarray, shape (n_k, d_v)
        The values, as `HeadWeights.values`.
    rows : slice, optional
        The queries that are compared; by default all.
    query_offset : int, optional
        As in `find_patterns`.
    renormalize : bool
        Whether the weights that are kept are divided by their share, as by a kernel
        that normalises over the cells that it computes.
    progress : callable, optional
        Called with the completed fraction; may raise to stop.
    run : Run
        What computes blocks of queries: by default, threads of this process.

    Returns
    -------
    KeptCosts

    Raises
    ------
    TypeError, ValueError
        If a parameter does not fit the matrix.

    Examples
    --------
    >>> import numpy as np
    >>> from attnviewer.patterns import Streaming, kept_costs
    >>> weights = np.array([[1.0, 0.0], [0.25, 0.75]])
    >>> costs = kept_costs(weights, Streaming(sinks=0, window=1), np.eye(2))
    >>> costs.lowest, costs.cells
    (0.75, 2)
    """
    reader = tile_reader(matrix)
    n_q, n_k = reader.shape
    checked(kept, n_q, n_k)
    values = checked_values(values, n_k)
    query_offset = offset_of(matrix, query_offset)
    renormalize = flag("renormalize", renormalize)
    chosen = checked_rows(rows, n_q)
    costs = Costs(reader, kept, values, query_offset, renormalize)
    if kept.whole_rows:
        parts = list(strips(chosen, min(_FEW, rows_at_once(n_k))))
    else:
        parts = in_parts(reader, chosen)
    return KeptCosts.of(list(reporting(run(costs, parts), len(parts), progress)))


def in_parts(reader: TileReader, rows: slice) -> list[slice]:
    """Return rows in parts for threads to share."""
    return row_parts(reader, rows, at_least=_PARTS)


def checked(kept: Kept, n_q: int, n_k: int) -> None:
    """Check that cells to be kept fit a matrix.

    Raises
    ------
    TypeError, ValueError
        If they do not.
    """
    if not isinstance(kept, Kept):
        raise TypeError(
            "The 'kept' parameter must be Streaming, VerticalSlash, BlockSparse, TopK "
            f"or Full. Got {type(kept).__name__} instead."
        )
    if reason := kept.misfit(n_q, n_k):
        raise ValueError(reason)


def checked_rows(rows: slice | None, n_q: int) -> slice:
    """Return some queries, with their ends as numbers.

    Raises
    ------
    TypeError, ValueError
        If they are not a slice without a step, or none.
    """
    if rows is None:
        return slice(0, n_q)
    first, stop, step = rows_or_columns("rows", rows).indices(n_q)
    if step != 1 or first >= stop:
        raise ValueError(
            "The 'rows' parameter must be a slice without a step that holds one of "
            f"{n_q} queries. Got {rows} instead."
        )
    return slice(first, stop)
