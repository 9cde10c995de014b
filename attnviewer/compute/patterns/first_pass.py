"""The first pass over a head's weights: marginals, needles, and rows to leave out."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from attnviewer.compute.arrays import Array, BoolArray, IndexArray
from attnviewer.compute.patterns.band import band
from attnviewer.compute.patterns.counting import Counting, Sums
from attnviewer.compute.patterns.marginals import Marginals
from attnviewer.compute.patterns.needles import Cells, Largest, Needle
from attnviewer.compute.patterns.padded_tile import PaddedTile, TileSums
from attnviewer.compute.patterns.reader import (
    KEYS,
    QUERIES,
    TileReader,
    hidden_cells,
    row_parts,
    tiles,
)
from attnviewer.compute.patterns.running import Run, reporting
from attnviewer.compute.patterns.sizes import SetSizes
from attnviewer.compute.progress import Progress


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """The sums of a block of queries."""

    weights: Counting
    visible: Counting
    logarithms: Array
    marked: BoolArray
    needles: Cells


@dataclass(frozen=True, eq=False)
class FirstPass:
    """Counts the weights of a block of queries; can be sent to another process.

    Parameters
    ----------
    reader : TileReader
        The weights.
    query_offset : int
        Position of the first query among the keys.
    sizes : SetSizes
        The sizes of the sets, within the matrix.
    n_needles : int
        How many of the largest distant weights are kept.
    """

    reader: TileReader
    query_offset: int
    sizes: SetSizes
    n_needles: int

    def __call__(self, rows: slice) -> _Found:
        """Return what some queries add."""
        found = self._count(rows, None)
        if found.marked.any():
            # Read again without them: a number that is not finite spoils all sums.
            return self._count(rows, found.marked)
        return found

    def _count(self, rows: slice, marked: BoolArray | None) -> _Found:
        reader, block = self.reader, self.sizes.block
        n_rows, n_k = rows.stop - rows.start, reader.shape[1]
        seen = reader.reach(rows)
        span = slice(seen.start // KEYS * KEYS, seen.stop)
        counting = partial(Counting, rows, span, n_k, block)
        weights, visible = counting(), counting()
        logarithms, total = np.zeros(n_rows), np.zeros(n_rows)
        largest = Largest(self.n_needles)
        tile: PaddedTile | None = None
        shown = _Shown(reader, block)
        for keys, cells in tiles(reader, rows):
            if tile is None:
                tile = padded_tile(reader, block, cells.dtype)
            tile.fill(cells)
            inner = tile.cells[:n_rows, : keys.stop - keys.start]  # (rows, keys)
            if marked is not None:
                inner[marked] = 0
            if inner.min() < 0:
                np.abs(inner, out=inner)
            sums = tile.sums()
            weights.add(keys, inner, sums)
            visible.add(keys, *shown.of(rows, keys, cells, marked))
            total += sums.rows[:n_rows]
            logarithms += tile.logarithms()[:n_rows]
            distant = self._distant(inner, rows, keys)
            largest.show(cells, distant, rows.start, keys.start)
        bad = ~np.isfinite(total) if marked is None else marked
        return _Found(weights, visible, logarithms, bad, largest.cells)

    def _distant(self, cells: Array, rows: slice, keys: slice) -> Array:
        """Return a tile without its sinks and local band."""
        n_sinks, window = self.sizes.sinks - keys.start, self.sizes.window
        near = band(rows, keys, self.query_offset, window)
        if n_sinks <= 0 and near is None:
            return cells
        cells = cells.copy()
        cells[:, : max(0, n_sinks)] = 0
        if near is not None:
            cells[:, : near.shape[1]][near] = 0
        return cells


class _Shown:
    """Counts of the cells of tiles that no mask hides; most tiles have the same."""

    def __init__(self, reader: TileReader, block: int) -> None:
        self._reader = reader
        self._tile = padded_tile(reader, block, np.dtype(np.float32))
        self._whole: tuple[Array, TileSums] | None = None

    def of(
        self, rows: slice, keys: slice, cells: Array, marked: BoolArray | None
    ) -> tuple[Array, TileSums]:
        """Return 1 for each cell that is seen, else 0, and the sums of these."""
        hidden = hidden_cells(self._reader, rows, keys, cells)
        same = self._whole is not None and self._whole[0].shape == cells.shape
        if hidden is None and marked is None and same:
            assert self._whole is not None
            return self._whole
        shown = np.ones(cells.shape, np.float32)
        if hidden is not None:
            shown[hidden] = 0
        if marked is not None:
            shown[marked] = 0
        self._tile.fill(shown)
        found = shown, self._tile.sums()
        if hidden is None and marked is None:
            self._whole = found
        return found


def padded_tile(reader: TileReader, block: int, dtype: "np.dtype[Any]") -> PaddedTile:
    """Return memory for the tiles of a matrix."""
    rows, keys = (
        min(most, 1 << (n - 1).bit_length())
        for most, n in zip((QUERIES, KEYS), reader.shape, strict=True)
    )
    return PaddedTile(rows, keys, block, dtype)


def first_pass(
    reader: TileReader,
    query_offset: int,
    sizes: SetSizes,
    n_needles: int,
    run: Run,
    progress: Progress | None,
) -> tuple[Marginals, Sequence[Needle]]:
    """Read all weights once.

    Returns
    -------
    marginals : Marginals
        The sums.
    needles : sequence of Needle
        The largest distant weights.
    """
    n_q, n_k = reader.shape
    weights, visible = (Sums.zeros(n_q, n_k, sizes.block) for _ in range(2))
    logarithms, marked = np.zeros(n_q), np.zeros(n_q, bool)
    largest = Largest(n_needles)
    parts = row_parts(reader)
    count = FirstPass(reader, query_offset, sizes, n_needles)
    found_by_part = reporting(run(count, parts), len(parts), progress, 0.0, 0.5)
    for rows, found in zip(parts, found_by_part, strict=True):
        found.weights.add_to(weights)
        found.visible.add_to(visible)
        logarithms[rows], marked[rows] = found.logarithms, found.marked
        largest.add(found.needles)
    marginals = Marginals(weights, visible, logarithms, marked, query_offset, sizes)
    cells: tuple[Array, IndexArray, IndexArray] = largest.cells
    listed = zip(*(part.tolist() for part in cells), strict=True)
    return marginals, [Needle(query, key, weight) for weight, query, key in listed]
