"""An overview that begins as a sketch and becomes exact bit by bit."""

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, cast

import numpy as np

from attnviewer.compute.arrays import Array, BoolArray, IndexArray
from attnviewer.compute.changes import Dirty
from attnviewer.compute.pooling import Pooling
from attnviewer.compute.threads import in_threads, one_blas_thread
from attnviewer.compute.windowed.base import Windowed
from attnviewer.compute.windowed.blocks import Extremes
from attnviewer.compute.windowed.overview import MOST, MOST_READ, Overview, block_runs
from attnviewer.compute.windowed.strips import AT_ONCE, strips

_QUICK = 2**24
"""The most changed cells that are read again at once, in about 50 ms."""

_LONG = 2**29
"""The cells above which a sketch is completed before the matrix is read."""

_AT_FIRST, _AT_ONCE = 64, 256
"""How many rows a first sketch reads, and how many are added to it at a time."""

Proceed = Callable[[], None]
"""Is called between a few milliseconds of work, and may raise to abort it."""


def _proceed() -> None:
    """Never abort."""


class Sampled(Windowed, Protocol):
    """A matrix that is read by window, or row by row."""

    def sample(self, rows: IndexArray) -> tuple[Array, BoolArray | None]:
        """Return some ascending rows, and which of their cells are hidden.

        None where nothing is hidden.
        """


class SketchedOverview(Overview):
    """An overview that is a sketch until the matrix has been read.

    In the sketch, one row of the matrix stands for all rows of its blocks, and at first
    for those of its neighbours.

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
    _cells_at_once = AT_ONCE
    """Cells that are read between two steps of `reading`."""

    def __init__(
        self,
        matrix: Sampled,
        most: int | tuple[int, int] = MOST,
        *,
        read: bool = True,
    ) -> None:
        super().__init__(matrix, most, read=False)
        self._exact = np.zeros(self._counts[0], bool)  # (rows of blocks,)
        self._sampled = np.zeros(self._counts[0], bool)  # (rows of blocks,)
        self._proceed: Proceed = _proceed
        if read:
            for _ in self.reading():
                pass
        else:
            self._sketch()

    @property
    def share(self) -> float:  # type: ignore[override]
        return float(self._exact.mean())

    def reading(
        self, keep: Pooling = "extreme", proceed: Proceed = _proceed
    ) -> Iterator[None]:
        """Complete the sketch, and then read the matrix, some tenths of a second each.

        The caller can do other work in between, and stop at any time.

        Parameters
        ----------
        keep : str
            Only ``extreme``.
        proceed : callable, optional
            Called between a few milliseconds of work. An exception raised by it ends
            the reading, which can begin again where it has been.
        """
        if keep == "mean":
            raise ValueError("The means are read by 'reading_means'.")
        self._proceed = proceed
        try:
            long = self.shape[0] * self.shape[1] > _LONG
            while long and (unknown := np.flatnonzero(~self._known)).size:
                self._sample_rows(unknown[:_AT_ONCE])
                self._spread()
                yield
            while not self._exact.all():
                rows = self._next_strip()
                self._pool(rows, slice(0, self._counts[1]))
                self._exact[rows] = True
                yield
        finally:
            self._proceed = _proceed

    @property
    def _known(self) -> BoolArray:
        """The rows of blocks of which at least one row has been read."""
        return self._exact | self._sampled

    def _next_strip(self) -> slice:
        """Return the next rows of blocks to be read."""
        height = self.block[0]
        few = max(
            self._cells_at_once // (height * self.shape[1]),
            -(-4 * self._rows_at_once // height),  # for threads to share
        )
        first = int(np.argmin(self._exact))
        known = np.flatnonzero(self._exact[first:])
        stop = min(first + few, self._counts[0], *(known[:1] + first))
        return slice(first, int(stop))

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
                    self._exact[run] = self._sampled[run] = False
                    continue
                for part in self._exact_runs(run):
                    for across in columns:
                        self._pool(part, across)
            stale = self._sampled & ~self._exact  # (rows of blocks,)
            if dirty.rows is not None:
                every = np.arange(self._counts[0])
                stale &= np.isin(self._middle(every), dirty.rows)
            for across in columns:
                self._sample_rows(np.flatnonzero(stale), across)
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
        """Have something known in all parts of the matrix."""
        spacing = -(-self._counts[0] // _AT_FIRST)
        few = np.arange(spacing // 2, self._counts[0], spacing)
        self._sample_rows(few[~self._known[few]])
        self._spread()

    def _sample_rows(self, rows: IndexArray, columns: slice | None = None) -> None:
        """Read one row of the matrix for each of some rows of blocks."""
        size = min(self._rows_at_once, -(-rows.size // 2))
        parts = [rows[part] for part in strips(slice(0, rows.size), size)]
        across = slice(0, self._counts[1]) if columns is None else columns
        with one_blas_thread(), np.errstate(all="ignore"):
            in_threads(lambda part: self._sample(part, across), parts)
        self._sampled[rows] = True

    def _sample(self, rows: IndexArray, columns: slice) -> None:
        width = self.block[1]
        across = slice(columns.start * width, columns.stop * width)
        for few in strips(slice(0, rows.size), MOST_READ // self.shape[1]):
            own = rows[few]
            values, hidden = self._matrix.sample(self._middle(own))  # (own, n_k)
            if hidden is not None:
                hidden = hidden[:, across]
            found = Extremes.of(values[:, across], hidden, (1, width))
            self.extremes.write(own, columns, found)

    def _spread(self) -> None:
        """Show rows of blocks of which nothing is known as the next known ones."""
        rows, unknown = np.flatnonzero(self._known), np.flatnonzero(~self._known)
        if rows.size and unknown.size:
            after = np.searchsorted(rows, unknown)
            below, above = rows[after - 1], rows[np.minimum(after, rows.size - 1)]
            nearer = np.abs(unknown - below) <= np.abs(above - unknown)
            self.extremes.copy_rows(np.where(nearer, below, above), unknown)

    def _middle(self, rows: IndexArray) -> IndexArray:
        """Return the row of the matrix in the middle of each of some rows of blocks."""
        height = self.block[0]
        middle: IndexArray = np.minimum(rows * height + height // 2, self.shape[0] - 1)
        return middle


def _length(runs: list[slice]) -> int:
    return sum(run.stop - run.start for run in runs)
