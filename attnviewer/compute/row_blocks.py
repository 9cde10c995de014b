"""The rows of a matrix that are computed at a time."""

import math
from collections.abc import Iterator

import numpy as np

from attnviewer.compute.arrays import ALL, Index, IndexArray, Shape

ROWS, BLOCK = 512, 2**22
"""The most rows, and the most scores, of a block, which is computed by one matrix
product. Each thread works on one block at a time."""
FEW_ROWS, FEW = 32, 2**20
"""The most rows, and the most scores of a matrix, that are processed at a time where
that needs temporary memory."""
SMALL = 2**18
"""The most scores that are computed without blocks, as of 12 heads and 128 tokens:
blocks would take up to twice as long (measured)."""


def at_once(shape: Shape) -> bool:
    """Return whether all matrices of a shape are computed without blocks."""
    return math.prod(shape) <= SMALL


def blocks(shape: Shape) -> Iterator[tuple[Index, slice]]:
    """Yield the matrices and rows that are computed at a time."""
    if at_once(shape):
        yield (), ALL
        return
    for lead in np.ndindex(shape[:-2]):
        for rows in row_blocks(*shape[-2:]):
            yield lead, rows


def row_blocks(n_rows: int, n_columns: int, first: int = 0) -> Iterator[slice]:
    """Yield the rows of one matrix, from `first` on, that are computed at a time."""
    size = rows_at_once(n_columns)
    for start in range(first, n_rows, size):
        yield slice(start, min(start + size, n_rows))


def rows_at_once(n_columns: int) -> int:
    """Return how many rows of a matrix are computed at a time."""
    return max(1, min(ROWS, BLOCK // n_columns))


def few_rows(n_rows: int, n_columns: int) -> Iterator[slice]:
    """Yield the rows of one matrix that are processed in temporary memory."""
    size = max(1, min(FEW_ROWS, FEW // max(1, n_columns)))
    for start in range(0, n_rows, size):
        yield slice(start, min(start + size, n_rows))


def runs(rows: IndexArray) -> list[slice]:
    """Return ascending rows as slices."""
    found = np.split(rows, np.flatnonzero(np.diff(rows) > 1) + 1)
    return [slice(int(run[0]), int(run[-1]) + 1) for run in found if run.size]
