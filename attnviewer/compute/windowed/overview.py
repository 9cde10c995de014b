"""A large matrix reduced to a small one, which is updated after edits."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from attnviewer.compute.arrays import ALL, Array, BoolArray, IndexArray
from attnviewer.compute.changes import EVERYTHING, Dirty
from attnviewer.compute.pooling import Pooling
from attnviewer.compute.row_blocks import BLOCK, ROWS
from attnviewer.compute.threads import in_threads, one_blas_thread
from attnviewer.compute.windowed.base import Windowed
from attnviewer.compute.windowed.blocks import Block, Extremes, Means
from attnviewer.compute.windowed.strips import AT_ONCE, strips

MOST_READ = BLOCK // 2
"""The most cells that a thread reads at a time, if they are more than one row."""

MOST = 1024
"""The default limit on the rows and columns of an overview."""


@dataclass(frozen=True, slots=True, eq=False)
class Pooled:
    """A picture of a window of cells, one number per block.

    Parameters
    ----------
    values : ndarray, shape (rows, columns)
        One number per block; −inf where all its cells are hidden.
    hidden : ndarray of bool, shape (rows, columns), or None
        Blocks whose cells are all hidden; None if there is none.
    rows, columns : tuple of two int
        The cells that are covered; the last block may reach past the matrix's end.
    block : tuple of two int
        Rows and columns of a block.
    """

    values: Array
    hidden: BoolArray | None
    rows: tuple[int, int]
    columns: tuple[int, int]
    block: Block


class Overview:
    """Extremes of the blocks of a matrix, at most `most` × `most` of them.

    The matrix is read once, some rows at a time, and later only where it has
    changed.

    Parameters
    ----------
    matrix : Windowed
        The matrix.
    most : int or tuple of two int
        The most rows and columns of blocks.
    read : bool
        Whether the matrix is read now; otherwise `reading` must be exhausted before
        anything else is used.

    Attributes
    ----------
    block : tuple of two int
        Rows and columns of a block.
    extremes : Extremes
        The extremes of the blocks.
    of_numerators : bool
        Whether `refresh` is told where numerators have changed, not the weights.
    """

    of_numerators = False
    share: float = 1.0
    """The part of the matrix that has been read, from 0 to 1."""

    def __init__(
        self,
        matrix: Windowed,
        most: int | tuple[int, int] = MOST,
        *,
        read: bool = True,
    ) -> None:
        rows, columns = self.shape = matrix.shape
        down, across = (most, most) if isinstance(most, int) else most
        self.block: Block = -(-rows // down), -(-columns // across)
        self._counts = -(-rows // self.block[0]), -(-columns // self.block[1])
        self._matrix = matrix
        self._means: Means | None = None
        self._with_means = 0  # the number of rows of blocks that are read
        dtype = matrix.window(slice(0, 1), slice(0, 1)).dtype
        # A given mask is a step, too, with bools as numbers.
        dtype = np.dtype(np.float32) if dtype == np.bool_ else dtype
        self.extremes = Extremes.empty(self._counts, dtype)
        if read:
            self.refresh(matrix, [EVERYTHING])

    def reading(self, keep: Pooling = "extreme") -> Iterator[None]:
        """Read the whole matrix strip by strip, a few milliseconds each.

        The caller can do other work in between.

        Parameters
        ----------
        keep : str
            What will be pooled, see `pooled`.
        """
        if keep == "mean":
            self._means = Means.empty(self._counts, self.extremes.highs.dtype)
            self._with_means = self._counts[0]
        down, across = self._counts
        few = AT_ONCE // (self.block[0] * self.shape[1])
        for rows in strips(slice(0, down), few):
            if rows.start:
                yield
            self._pool(rows, slice(0, across))

    def refresh(
        self,
        matrix: Windowed,
        blocks: Sequence[Dirty],
        extremes: Extremes | None = None,
    ) -> None:
        """Update the overview after an edit.

        Parameters
        ----------
        matrix : Windowed
            The matrix as it is now, of the same shape.
        blocks : sequence of Dirty
            Where it may have changed; their heads are ignored.
        extremes : Extremes, optional
            Those of all blocks, where they are known.
        """
        self._matrix = matrix
        if extremes is not None:
            self.extremes = extremes
            if self._means is None:
                return
        for dirty in blocks:
            for rows in block_runs(dirty.rows, self.block[0], self._counts[0]):
                for columns in block_runs(
                    dirty.columns, self.block[1], self._counts[1]
                ):
                    self._pool(rows, columns, extremes=extremes is None)

    def limits(self) -> tuple[float, float] | None:
        """Return the lowest and the highest finite number that is not hidden.

        Exactly those of the matrix; None if it has none.
        """
        return self.extremes.limits()

    def fitted(self, height: int, width: int, keep: Pooling = "extreme") -> Pooled:
        """Return a picture of the whole matrix of at most height × width numbers."""
        rows, columns = self.shape
        return self.pooled((-(-rows // height), -(-columns // width)), keep=keep)

    def pooled(
        self,
        block: Block,
        rows: slice = ALL,
        columns: slice = ALL,
        *,
        keep: Pooling = "extreme",
    ) -> Pooled:
        """Return a picture of a window of cells.

        Parameters
        ----------
        block : tuple of two int
            The least rows and columns per number; rounded up to whole blocks of the
            overview. Blocks start at the matrix's first cell, not at the window's.
        rows, columns : slice without step
            The cells to be shown; the picture may cover more.
        keep : str
            ``extreme`` for the number furthest from zero, so that a single large
            value remains visible: NaN wins over every number, then +inf; −inf loses
            against every number. ``mean`` for the mean of the visible cells.
        """
        down, across = (-(-n // own) for n, own in zip(block, self.block, strict=True))
        height, width = down * self.block[0], across * self.block[1]
        spans = [
            _whole_blocks(part, size, count)
            for part, size, count in zip(
                (rows, columns), (height, width), self.shape, strict=True
            )
        ]
        here = (
            slice(spans[0].start * down, spans[0].stop * down),
            slice(spans[1].start * across, spans[1].stop * across),
        )
        extremes = self.extremes.of_part(*here).pooled((down, across))
        if keep == "mean":
            means = self.means().of_part(*here).pooled((down, across))
            values = means.values(extremes.flags)
        else:
            values = extremes.furthest()
        return Pooled(
            values,
            extremes.hidden(),
            (spans[0].start * height, spans[0].stop * height),
            (spans[1].start * width, spans[1].stop * width),
            (height, width),
        )

    @property
    def has_means(self) -> bool:
        """Whether a picture of means needs no reading of the matrix."""
        return self._with_means == self._counts[0]

    def means(self) -> Means:
        """Return the sums behind the means of the blocks, cached from now on."""
        for _ in self.reading_means():
            pass
        assert self._means is not None
        return self._means

    def reading_means(self) -> Iterator[None]:
        """Read the sums behind the means as `reading` does, cached from now on.

        The matrix may be edited and refreshed in between.
        """
        if self._means is None:
            self._means = Means.empty(self._counts, self.extremes.highs.dtype)
        down, across = self._counts
        few = AT_ONCE // (self.block[0] * self.shape[1])
        while self._with_means < down:  # which may have grown in the meantime
            rows = next(strips(slice(self._with_means, down), few))
            self._pool(rows, slice(0, across), extremes=False)
            self._with_means = rows.stop
            yield

    def _pool(self, rows: slice, columns: slice, *, extremes: bool = True) -> None:
        """Pool some of the blocks again, a few rows of them at a time."""
        height, width = self.block
        across = slice(columns.start * width, min(columns.stop * width, self.shape[1]))
        cells = height * (across.stop - across.start)

        def pool(read: slice) -> None:
            if cells > MOST_READ:
                self._pool_in_parts(read, columns, across, extremes=extremes)
                return
            down = slice(read.start * height, min(read.stop * height, self.shape[0]))
            values = self._matrix.window(down, across)  # (rows, columns)
            hidden = self._matrix.hidden(down, across)
            for few in strips(read, AT_ONCE // cells):
                own = slice(
                    (few.start - read.start) * height, (few.stop - read.start) * height
                )
                part = values[own], None if hidden is None else hidden[own]
                if extremes:
                    self.extremes.write(few, columns, Extremes.of(*part, self.block))
                if self._means is not None:
                    self._means.write(few, columns, Means.of(*part, self.block))

        # Several blocks of rows at a time, as in a whole pass.
        parts = list(strips(rows, min(-(-ROWS // height), BLOCK // cells)))
        with one_blas_thread(cells * (rows.stop - rows.start)):
            in_threads(pool, parts)

    def _pool_in_parts(
        self, rows: slice, columns: slice, across: slice, *, extremes: bool
    ) -> None:
        """Pool a row of large blocks, some rows of the matrix at a time."""
        height, width = self.block
        down = slice(rows.start * height, min(rows.stop * height, self.shape[0]))
        found: list[Extremes] = []
        means: list[Means] = []
        for few in strips(down, MOST_READ // (across.stop - across.start)):
            values = self._matrix.window(few, across)  # (few, columns)
            part = values, self._matrix.hidden(few, across), (1, width)
            if extremes:
                found.append(Extremes.of(*part))
            if self._means is not None:
                means.append(Means.of(*part))
        if found:
            pooled = Extremes.joined(found).pooled((height, 1))
            self.extremes.write(rows, columns, pooled)
        if self._means is not None:
            self._means.write(rows, columns, Means.joined(means).pooled((height, 1)))


def block_runs(positions: IndexArray | None, size: int, count: int) -> Iterator[slice]:
    """Yield the ranges of blocks that hold some rows or columns."""
    if positions is None or positions.size > count // 2:
        yield slice(0, count)
        return
    if not positions.size:
        return
    touched = np.zeros(count + 2, bool)
    touched[positions // size + 1] = True
    edges = np.flatnonzero(touched[1:] != touched[:-1]).tolist()
    yield from map(slice, edges[::2], edges[1::2])


def _whole_blocks(part: slice, size: int, count: int) -> slice:
    """Return the blocks of a size that cover some rows or columns."""
    start, stop, _ = part.indices(count)
    return slice(start // size, -(-stop // size))
