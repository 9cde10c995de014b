"""A matrix whose neighbouring rows and columns are combined."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from attnviewer.compute.arrays import ALL, Array, BoolArray, IndexArray
from attnviewer.compute.row_blocks import BLOCK
from attnviewer.compute.threads import in_threads, one_blas_thread
from attnviewer.compute.windowed.base import Windowed
from attnviewer.compute.windowed.in_memory import InMemory
from attnviewer.compute.windowed.strips import AT_ONCE, strips

Span: TypeAlias = tuple[int, int]
"""First line, and the one after the last."""
FoldRule: TypeAlias = Literal["sum", "mean"]


@dataclass(frozen=True, slots=True)
class Folding:
    """The neighbouring rows and columns of a matrix that count as one, and the rules.

    By default what attention leaves is averaged over the queries of a group, and what
    it gives is summed over the keys of one: the rows still sum to 1.

    Parameters
    ----------
    rows, columns : tuple of (int, int)
        The spans, in order and without gaps; those of one line leave it as it is.
    row_rule, column_rule : str
        ``sum`` or ``mean``.

    References
    ----------
    Clark et al. 2019, "What Does BERT Look At? An Analysis of BERT's Attention",
    section 4.1: token-token attention maps turned into word-word maps.
    """

    rows: tuple[Span, ...]
    columns: tuple[Span, ...]
    row_rule: FoldRule = "mean"
    column_rule: FoldRule = "sum"

    def __post_init__(self) -> None:
        for name in ("rows", "columns"):
            _check_spans(name, getattr(self, name))
        for name in ("row_rule", "column_rule"):
            if getattr(self, name) not in ("sum", "mean"):
                raise ValueError(
                    f"The '{name}' must be 'sum' or 'mean'. "
                    f"Got {getattr(self, name)!r} instead."
                )

    @property
    def keeps_shares(self) -> bool:
        """Whether rows that sum to 1 still do."""
        means = self.row_rule == "mean" or not self.combines_rows
        sums = self.column_rule == "sum" or len(self.columns) == self.columns[-1][1]
        return means and sums

    @property
    def cells(self) -> int:
        """The count of numbers that are combined altogether."""
        return self.rows[-1][1] * self.columns[-1][1]

    @property
    def combines_rows(self) -> bool:
        """Whether any row stands for several."""
        return len(self.rows) < self.rows[-1][1]


def spans_around(count: int, folded: Iterable[Span]) -> tuple[Span, ...]:
    """Return spans of all lines: the folded ones, and each other line alone.

    Parameters
    ----------
    count : int
        The number of lines.
    folded : iterable of (int, int)
        Spans that do not overlap, in any order.

    Raises
    ------
    ValueError
        If they overlap, or reach past the last line.
    """
    spans, at = [], 0
    for start, stop in sorted(folded):
        if not at <= start < stop <= count:
            raise ValueError(
                f"The 'folded' spans must lie apart within {count} lines. "
                f"Got ({start}, {stop}) instead."
            )
        spans += [(line, line + 1) for line in range(at, start)]
        spans.append((start, stop))
        at = stop
    return (*spans, *((line, line + 1) for line in range(at, count)))


class Folded:
    """A matrix with spans of its rows and columns summed or averaged.

    Numbers are combined in double precision. A cell is hidden where all that it
    combines are.

    Parameters
    ----------
    matrix : Windowed
        The matrix.
    folding : Folding
        The spans, which cover it, and the rules.

    Raises
    ------
    ValueError
        If the spans do not cover the matrix.
    """

    def __init__(self, matrix: Windowed, folding: Folding) -> None:
        covered = folding.rows[-1][1], folding.columns[-1][1]
        if covered != matrix.shape:
            raise ValueError(
                f"The 'folding' must cover the matrix {matrix.shape}. "
                f"Got spans of {covered} instead."
            )
        self._matrix = matrix
        self._folding = folding

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns, each span counted once."""
        return len(self._folding.rows), len(self._folding.columns)

    def window(self, rows: slice = ALL, columns: slice = ALL) -> Array:
        """Return some of the combined numbers, shape (rows, columns)."""
        down, across = self._spans(rows, columns)
        total = np.zeros((len(down), len(across)))
        # Infinite numbers of both signs have no sum, which is not worth a warning.
        with np.errstate(invalid="ignore", over="ignore"):
            for part, own, starts in _parts(down, across):
                tokens = self._matrix.window(part, _read(across))  # (tokens, tokens)
                sums = np.add.reduceat(tokens, _starts(across), 1, np.float64)
                total[own] += np.add.reduceat(sums, starts, 0)
        if self._folding.row_rule == "mean":
            total /= _counts(down)[:, np.newaxis]  # (rows, 1)
        if self._folding.column_rule == "mean":
            total /= _counts(across)  # (columns,)
        return total

    def stored(self) -> InMemory:
        """Return all combined numbers in memory, of a matrix that is read once.

        No more of it than some rows is in memory at a time.
        """
        rows, columns = self.shape
        values = np.empty((rows, columns))
        tokens = self._folding.cells // rows  # of a row, on average

        def read(part: slice) -> None:
            values[part] = self.window(part)

        with one_blas_thread(self._folding.cells):
            in_threads(read, list(strips(slice(0, rows), BLOCK // tokens)))
        return InMemory(values, self.hidden(), self.pinned())

    def hidden(self, rows: slice = ALL, columns: slice = ALL) -> BoolArray | None:
        """Return the cells hidden as a whole, (rows, columns); None without a mask."""
        return self._reduced(self._matrix.hidden, rows, columns, np.logical_and)

    def pinned(self, rows: slice = ALL, columns: slice = ALL) -> BoolArray | None:
        """Return the cells with a pin, (rows, columns); None where none can be."""
        pinned = getattr(self._matrix, "pinned", None)
        if pinned is None:
            return None
        return self._reduced(pinned, rows, columns, np.logical_or)

    def _reduced(
        self,
        read: Callable[[slice, slice], BoolArray | None],
        rows: slice,
        columns: slice,
        how: np.ufunc,
    ) -> BoolArray | None:
        """Return flags of the combined cells, (rows, columns)."""
        down, across = self._spans(rows, columns)
        reduced = np.full((len(down), len(across)), how.identity, bool)
        known = False
        for part, own, starts in _parts(down, across):
            flags = read(part, _read(across))  # (tokens, tokens)
            if flags is None:
                reduced[own] &= how is np.logical_or
                continue
            known = True
            flags = how.reduceat(flags, _starts(across), 1)  # (tokens, columns)
            reduced[own] = how(reduced[own], how.reduceat(flags, starts, 0))
        return reduced if known else None

    def _spans(
        self, rows: slice, columns: slice
    ) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
        return self._folding.rows[rows], self._folding.columns[columns]


def _check_spans(name: str, spans: tuple[Span, ...]) -> None:
    ends = [0, *(stop for _, stop in spans)]
    starts = [start for start, _ in spans]
    if not spans or starts != ends[:-1] or sorted(set(ends)) != ends:
        raise ValueError(
            f"The '{name}' must be spans in order and without gaps, from 0 on. "
            f"Got {spans[:3]} instead."
        )


def _counts(spans: tuple[Span, ...]) -> IndexArray:
    """Return how many lines each span has, shape (spans,)."""
    return np.array([stop - start for start, stop in spans], np.intp)


def _read(spans: tuple[Span, ...]) -> slice:
    """Return all lines of neighbouring spans."""
    return slice(spans[0][0], spans[-1][1])


def _starts(spans: tuple[Span, ...]) -> list[int]:
    """Return where each span starts, counted from the first of them."""
    return [start - spans[0][0] for start, _ in spans]


def _parts(
    down: tuple[Span, ...], across: tuple[Span, ...]
) -> Iterator[tuple[slice, slice, IndexArray]]:
    """Yield rows of a matrix, a few at a time, and the spans that they belong to.

    Each with which spans these are, counted from the first of `down`, and where each
    starts among the rows.
    """
    if not down or not across:
        return
    edges = np.array([start for start, _ in down])  # (spans,)
    for part in strips(_read(down), AT_ONCE // (across[-1][1] - across[0][0])):
        first, last = np.searchsorted(edges, [part.start, part.stop - 1], "right") - 1
        starts = edges[first : last + 1] - part.start  # (spans here,)
        yield part, slice(first, last + 1), starts.clip(0)
