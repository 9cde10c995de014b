"""An overview that begins as a sketch and becomes exact bit by bit."""

from collections.abc import Iterator, Sequence
from typing import Protocol, cast

import numpy as np

from attnviewer.compute.arrays import ALL, Array, BoolArray, IndexArray
from attnviewer.compute.changes import Dirty
from attnviewer.compute.pooling import Pooling
from attnviewer.compute.threads import in_threads, one_blas_thread
from attnviewer.compute.windowed.base import Windowed
from attnviewer.compute.windowed.blocks import Extremes
from attnviewer.compute.windowed.overview import MOST, Overview, block_runs
from attnviewer.compute.windowed.strips import AT_ONCE, strips

_QUICK = 2**26
"""The most changed cells that are read again at once, in about a tenth of a second."""


class Sampled(Windowed, Protocol):
    """A matrix that is read by window, or row by row."""

    def sample(self, rows: IndexArray) -> tuple[Array, BoolArray | None]:
        """Return some ascending rows, and which of their cells are hidden.

        None where nothing is hidden.
        """


class SketchedOverview(Overview):
    """An overview that is a sketch until the matrix has been read.

    In the sketch, one row of the matrix stands for all rows of its blocks.

    Parameters
    ----------
    matrix : Sampled
        The matrix.
    most
        As in `Overview`.
    read : bool
        Whether the matrix is read now; otherwise the overview begins as a sketch.
    """

    _matrix: Sampled
    _rows_at_once = 32
    """Rows of the matrix that a thread processes at a time."""

    def __init__(
        self,
        matrix: Sampled,
        most: int | tuple[int, int] = MOST,
        *,
        read: bool = True,
    ) -> None:
        super().__init__(matrix, most, read=False)
        self._exact = np.zeros(self._counts[0], bool)  # (rows of blocks,)
        if read:
            for _ in self.reading():
                pass
        else:
            self._sketch()

    @property
    def share(self) -> float:  # type: ignore[override]
        return float(self._exact.mean())

    def reading(self, keep: Pooling = "extreme") -> Iterator[None]:
        """Read what has not been read yet, strip by strip, some tenths of a second.

        The caller can do other work in between, and stop at any time.
        """
        if keep == "mean":
            raise ValueError("The means are read by 'reading_means'.")
        down, across = self._counts
        height = self.block[0]
        few = max(
            AT_ONCE // (height * self.shape[1]),
            -(-2 * self._rows_at_once // height),  # for two threads to share
        )
        while not self._exact.all():
            first = int(np.argmin(self._exact))
            known = np.flatnonzero(self._exact[first:])
            stop = min(first + few, down, *(known[:1] + first))
            rows = slice(first, int(stop))
            self._pool(rows, slice(0, across))
            self._exact[rows] = True
            yield

    def refresh(
        self,
        matrix: Windowed,
        blocks: Sequence[Dirty],
        extremes: Extremes | None = None,
    ) -> None:
        """Update the overview after an edit.

        Few changed cells are read again at once; of more, a new sketch is made, and
        `reading` reads the rest.
        """
        self._matrix = cast("Sampled", matrix)
        height, width = self.block
        for dirty in blocks:
            rows = list(block_runs(dirty.rows, height, self._counts[0]))
            columns = list(block_runs(dirty.columns, width, self._counts[1]))
            cells = _length(rows) * height * _length(columns) * width
            for run in rows:
                if cells > _QUICK:
                    self._exact[run] = False
                    continue
                for part in self._exact_runs(run):
                    for across in columns:
                        self._pool(part, across)
        self._sketch()

    def _exact_runs(self, rows: slice) -> Iterator[slice]:
        """Yield the runs of some rows of blocks that have been read."""
        edges = np.diff(
            np.concatenate([[False], self._exact[rows], [False]]).astype(int)
        )
        starts, stops = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)
        for start, stop in zip(starts.tolist(), stops.tolist(), strict=True):
            yield slice(rows.start + start, rows.start + stop)

    def _sketch(self) -> None:
        """Read one row for each row of blocks that has not been read."""
        rows = np.flatnonzero(~self._exact)
        parts = [rows[part] for part in strips(slice(0, rows.size), self._rows_at_once)]
        with one_blas_thread(), np.errstate(all="ignore"):
            in_threads(self._sample, parts)

    def _sample(self, rows: IndexArray) -> None:
        middle = self._middle(rows)
        values, hidden = self._matrix.sample(middle)  # (rows, columns)
        self.extremes.write(rows, ALL, Extremes.of(values, hidden, (1, self.block[1])))

    def _middle(self, rows: IndexArray) -> IndexArray:
        """Return the row of the matrix in the middle of each of some rows of blocks."""
        height = self.block[0]
        middle: IndexArray = np.minimum(rows * height + height // 2, self.shape[0] - 1)
        return middle


def _length(runs: list[slice]) -> int:
    return sum(run.stop - run.start for run in runs)
