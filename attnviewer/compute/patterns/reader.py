"""Weights of one head, read a tile of queries and keys at a time."""

from collections.abc import Iterator
from typing import Protocol, runtime_checkable

import numpy as np

from attnviewer.compute.arguments import whole_number
from attnviewer.compute.arrays import ALL, Array, BoolArray, Index, IndexArray
from attnviewer.compute.numbers import check_numbers
from attnviewer.compute.row_blocks import BLOCK
from attnviewer.compute.trace import Trace
from attnviewer.compute.windowed import InMemory, Windowed
from attnviewer.compute.windowed.strips import strips

QUERIES, KEYS = 512, 1024
"""Queries and keys of a tile, which fits the processor's second cache."""


@runtime_checkable
class TileReader(Protocol):
    """Attention weights of one head that are read by window, however they are stored.

    Attributes
    ----------
    by_tiles : bool
        Whether a window costs only its own cells, and not whole rows.
    """

    by_tiles: bool

    @property
    def shape(self) -> tuple[int, int]:
        """Queries and keys."""

    def window(self, rows: slice = ALL, columns: slice = ALL) -> Array:
        """Return some of the weights, shape (rows, columns)."""

    def hidden(self, rows: slice = ALL, columns: slice = ALL) -> BoolArray | None:
        """Return which cells a mask hides, (rows, columns); None without a mask."""

    def reach(self, rows: slice) -> slice:
        """Return a range that holds every key to which some queries may attend."""


class HeadWeights:
    """The weights of one head of a computation, read by window and never held whole.

    Of long sequences, a window is computed from queries and keys when it is read.

    Parameters
    ----------
    trace : Trace
        The computation.
    head : int
        The head of the queries, counted from zero.
    batch : int or tuple of int
        The batch item.

    Attributes
    ----------
    trace, head, batch
        As given.
    query_offset : int
        Position of the first query among the keys.
    by_tiles : bool
        Whether a window costs only its own cells, and not whole rows.

    Raises
    ------
    IndexError
        If there is no such head or batch item.
    """

    def __init__(self, trace: Trace, head: int = 0, batch: int | Index = 0) -> None:
        self.query_offset = trace.query_offset(head=head, batch=batch)
        self.by_tiles = trace.pipeline.only_normalizes
        self.trace, self.head, self.batch = trace, head, batch
        self._step = trace.pipeline.weights

    @property
    def shape(self) -> tuple[int, int]:
        """Queries and keys."""
        return self.trace.matrix_shape(self._step)

    @property
    def values(self) -> Array:
        """The values that the weights mix, shape (n_k, d_v)."""
        step = self.trace.pipeline.mix.inputs[1]
        return self.trace.window(step, head=self.head, batch=self.batch)

    def window(self, rows: slice = ALL, columns: slice = ALL) -> Array:
        """Return some of the weights, shape (rows, columns)."""
        return self.trace.window(
            self._step, rows, columns, head=self.head, batch=self.batch
        )

    def hidden(self, rows: slice = ALL, columns: slice = ALL) -> BoolArray | None:
        """Return which cells a mask hides, (rows, columns); None without a mask."""
        return self.trace.hidden(
            self._step, rows, columns, head=self.head, batch=self.batch
        )

    def columns(self, rows: slice, keys: IndexArray) -> tuple[Array, BoolArray | None]:
        """Return the weights of ascending keys, and which of them a mask hides."""
        return self.trace.sample(
            self._step, rows, keys, head=self.head, batch=self.batch
        )

    def reach(self, rows: slice) -> slice:
        """Return a range that holds every key to which some queries may attend."""
        return self.trace.reach(rows, head=self.head, batch=self.batch)


class _OfWindowed:
    """Any matrix that is read by window, as a `TileReader`."""

    by_tiles = True

    def __init__(self, matrix: Windowed) -> None:
        self.shape = matrix.shape
        self.window, self.hidden = matrix.window, matrix.hidden

    def reach(self, rows: slice) -> slice:
        return slice(0, self.shape[1])


def tile_reader(matrix: "TileReader | Windowed | Array") -> TileReader:
    """Return a matrix of weights as a `TileReader`.

    Raises
    ------
    ValueError
        If it has no cells, or more or less than two dimensions.
    TypeError
        If it is an array of anything but floating-point numbers.
    """
    if isinstance(matrix, np.ndarray):
        if not np.issubdtype(matrix.dtype, np.floating):
            raise TypeError(
                "The 'matrix' parameter must hold floating-point numbers. "
                f"Got {matrix.dtype} instead."
            )
        if matrix.ndim != 2:
            raise ValueError(
                "The 'matrix' parameter must have 2 dimensions. "
                f"Got shape {matrix.shape} instead."
            )
        matrix = InMemory(matrix)
    if 0 in matrix.shape:
        raise ValueError(
            "The 'matrix' parameter must have at least one query and one key. "
            f"Got shape {matrix.shape} instead."
        )
    return matrix if isinstance(matrix, TileReader) else _OfWindowed(matrix)


def row_parts(
    reader: TileReader, rows: slice | None = None, at_least: int = 1
) -> list[slice]:
    """Return the queries that are read at a time.

    Parameters
    ----------
    reader : TileReader
        The weights.
    rows : slice, optional
        The queries, with ends; by default all, in parts that start with a block.
    at_least : int
        How many parts there should be at least.
    """
    n_q, n_k = reader.shape
    size = QUERIES
    if not reader.by_tiles:
        size = min(size, max(64, 1 << (max(1, BLOCK // n_k).bit_length() - 1)))
    if rows is None:
        rows = slice(0, n_q)
    return list(strips(rows, min(size, -(-(rows.stop - rows.start) // at_least))))


def tiles(
    reader: TileReader, rows: slice, width: int = KEYS
) -> Iterator[tuple[slice, Array]]:
    """Yield the weights of some queries tile by tile, with the keys of each tile.

    Keys that none of the queries may see are left out as far as they fill tiles.

    Parameters
    ----------
    reader : TileReader
        The weights.
    rows : slice
        The queries.
    width : int
        The most keys of a tile, a multiple of `KEYS`.
    """
    seen = reader.reach(rows)
    span = slice(seen.start // KEYS * KEYS, seen.stop)
    whole = None if reader.by_tiles else reader.window(rows, span)  # (rows, span)
    for keys in strips(span, width):
        if whole is None:
            yield keys, reader.window(rows, keys)
        else:
            yield keys, whole[:, keys.start - span.start : keys.stop - span.start]


def columns(
    reader: TileReader, rows: slice, keys: IndexArray
) -> tuple[Array, BoolArray | None]:
    """Return the weights of some queries at some keys, and which a mask hides.

    Parameters
    ----------
    reader : TileReader
        The weights.
    rows : slice
        The queries.
    keys : ndarray of intp
        The keys, ascending and within reach.
    """
    if isinstance(reader, HeadWeights):
        return reader.columns(rows, keys)
    found = np.zeros((rows.stop - rows.start, keys.size))  # (rows, keys)
    hidden = np.zeros(found.shape, bool)
    for span, tile in tiles(reader, rows, width_for(rows)):
        own = slice(*np.searchsorted(keys, (span.start, span.stop)))
        across = keys[own] - span.start
        found[:, own] = tile[:, across]
        hides = hidden_cells(reader, rows, span, tile)
        if hides is not None:
            hidden[:, own] = hides[:, across]
    return found, hidden


def width_for(rows: slice) -> int:
    """Return how many keys a tile of so many queries may have to fit the cache."""
    n_rows: int = rows.stop - rows.start
    return KEYS * max(1, QUERIES // n_rows)


def hidden_cells(
    reader: TileReader, rows: slice, keys: slice, tile: Array
) -> BoolArray | None:
    """Return which cells of a tile a mask hides; None where it hides none."""
    if tile.min() > 0:  # far cheaper than to ask the mask
        return None
    hidden = reader.hidden(rows, keys)
    return hidden if hidden is not None and hidden.any() else None


def offset_of(matrix: "TileReader | Windowed | Array", query_offset: int | None) -> int:
    """Return the position of the first query; by default that of `HeadWeights`, or 0.

    Raises
    ------
    TypeError
        If it is not an integer.
    """
    if query_offset is None:
        query_offset = getattr(matrix, "query_offset", 0)
    return whole_number("query_offset", query_offset)


def checked_values(values: Array, n_k: int) -> Array:
    """Return the values of a head.

    Raises
    ------
    ValueError
        If they are not finite, or not one row per key.
    """
    if values.ndim != 2 or len(values) != n_k:
        raise ValueError(
            f"The 'values' parameter must have shape ({n_k}, any). "
            f"Got {values.shape} instead."
        )
    check_numbers("'values' parameter", values)
    return values
