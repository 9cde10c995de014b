"""A matrix whose neighbouring rows and columns are combined."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from attnviewer.compute.arrays import ALL, Array, BoolArray, IndexArray
from attnviewer.compute.windowed.base import Windowed
from attnviewer.compute.windowed.strips import AT_ONCE, strips

Span: TypeAlias = tuple[int, int]
"""First line, and the one after the last."""
FoldRule: TypeAlias = Literal["sum", "mean"]


@dataclass(frozen=True, slots=True)
class Folding:
    """Which neighbouring rows and columns of a matrix count as one, and how.

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
    def combines_rows(self) -> bool:
        """Whether any row stands for several."""
        return len(self.rows) < self.rows[-1][1]


def spans_around(count: int, folded: Iterable[Span]) -> tuple[Span, ...]:
    """Return spans of all lines: the folded ones, and each other line alone.

    Parameters
    ----------
    count : int
        How many lines there are.
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
        if not total.size:
            return total
        read, owners, starts = _read(down), _owners(down), _starts(across)
        first, few = read.start, AT_ONCE // (across[-1][1] - across[0][0])
        # Infinite numbers of both signs have no sum, which is not worth a warning.
        with np.errstate(invalid="ignore", over="ignore"):
            for part in strips(read, few):
                tokens = self._matrix.window(part, _read(across))  # (tokens, tokens)
                sums = np.add.reduceat(tokens, starts, 1, np.float64)
                own = owners[part.start - first : part.stop - first]
                np.add.at(total, own, sums)  # (rows, columns)
        if self._folding.row_rule == "mean":
            total /= np.diff(down)  # (rows, 1)
        if self._folding.column_rule == "mean":
            total /= np.diff(across).ravel()  # (columns,)
        return total

    def hidden(self, rows: slice = ALL, columns: slice = ALL) -> BoolArray | None:
        """Return the cells of which all numbers are hidden; None without a mask."""
        return self._reduced(self._matrix.hidden, rows, columns, np.logical_and)

    def pinned(self, rows: slice = ALL, columns: slice = ALL) -> BoolArray | None:
        """Return the cells of which any number is pinned; None where none can be."""
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
        if not down or not across:
            return None
        flags = read(_read(down), _read(across))  # (tokens, tokens)
        if flags is None:
            return None
        flags = how.reduceat(flags, _starts(down), 0)  # (rows, tokens)
        reduced: BoolArray = how.reduceat(flags, _starts(across), 1)
        return reduced  # (rows, columns)

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


def _read(spans: tuple[Span, ...]) -> slice:
    """Return all lines of neighbouring spans."""
    return slice(spans[0][0], spans[-1][1])


def _starts(spans: tuple[Span, ...]) -> list[int]:
    """Return where each span starts, counted from the first of them."""
    return [start - spans[0][0] for start, _ in spans]


def _owners(spans: tuple[Span, ...]) -> IndexArray:
    """Return which span each line belongs to, shape (lines,)."""
    return np.repeat(np.arange(len(spans)), [stop - start for start, stop in spans])
