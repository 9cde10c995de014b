"""The pass over all of a head's weights: marginals, needles, and known sets."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from attnviewer.compute.arrays import Array, BoolArray, IndexArray
from attnviewer.compute.patterns.counting import Counting, Sums
from attnviewer.compute.patterns.known_sets import KnownSets, KnownSums
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
from attnviewer.compute.patterns.repeats import Repeats
from attnviewer.compute.patterns.running import Run, reporting
from attnviewer.compute.patterns.sizes import SetSizes
from attnviewer.compute.progress import Progress

DONE = 0.9
"""The share of the work that is done after the pass."""


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """The sums of a block of queries."""

    weights: Counting
    visible: Counting
    logarithms: Array
    marked: BoolArray
    needles: Cells
    known: KnownSums
    span: slice


@dataclass(frozen=True, eq=False)
class OnePass:
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
    repeats : Repeats or None
        Where tokens are repeated; None without tokens.
    """

    reader: TileReader
    query_offset: int
    sizes: SetSizes
    n_needles: int
    repeats: Repeats | None

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
        known = KnownSets(rows, span, self.query_offset, self.sizes, self.repeats)
        tile: PaddedTile | None = None
        shown = _Shown(reader, block)
        for keys, cells in tiles(reader, rows):
            if tile is None:
                tile = padded_tile(reader, block, cells.dtype)
            tile.fill(cells)
            inner = tile.cells[:n_rows, : keys.stop - keys.start]  # (rows, keys)
            if marked is not None:
                inner[marked] = 0
            lowest = inner.min()
            if lowest < 0:
                np.abs(inner, out=inner)
            sums = tile.sums()
            weights.add(keys, inner, sums)
            # Asking the mask costs far more than to look for zeros.
            hidden = None if lowest > 0 else hidden_cells(reader, rows, keys, cells)
            visible.add(keys, *shown.of(cells.shape, hidden, marked))
            total += sums.rows[:n_rows]
            logarithms += tile.logarithms()[:n_rows]
            again = known.repeated(keys)
            taken = known.take_near(keys, inner, again)
            largest.show(cells, inner, rows.start, keys.start)
            taken |= known.take_repeated(inner, again)
            known.add_blocks(keys, tile.block_sums() if taken else sums.blocks)
        bad = ~np.isfinite(total) if marked is None else marked
        return _Found(
            weights, visible, logarithms, bad, largest.cells, known.sums, span
        )


class _Shown:
    """Counts of the cells of tiles that no mask hides; most tiles have the same."""

    def __init__(self, reader: TileReader, block: int) -> None:
        self._tile = padded_tile(reader, block, np.dtype(np.float32))
        self._whole: tuple[Array, TileSums] | None = None

    def of(
        self,
        shape: tuple[int, ...],
        hidden: BoolArray | None,
        marked: BoolArray | None,
    ) -> tuple[Array, TileSums]:
        """Return 1 for each cell that is seen, else 0, and the sums of these."""
        same = self._whole is not None and self._whole[0].shape == shape
        if hidden is None and marked is None and same:
            assert self._whole is not None
            return self._whole
        shown = np.ones(shape, np.float32)
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


def one_pass(
    reader: TileReader,
    query_offset: int,
    sizes: SetSizes,
    n_needles: int,
    repeats: Repeats | None,
    run: Run,
    progress: Progress | None,
) -> tuple[Marginals, Sequence[Needle], KnownSums]:
    """Read all weights once.

    Returns
    -------
    marginals : Marginals
        The sums.
    needles : sequence of Needle
        The largest distant weights.
    known : KnownSums
        The sums of the sets that are known before.
    """
    n_q, n_k = reader.shape
    weights, visible = (Sums.zeros(n_q, n_k, sizes.block) for _ in range(2))
    logarithms, marked = np.zeros(n_q), np.zeros(n_q, bool)
    largest = Largest(n_needles)
    known = KnownSums.zeros(n_q, n_k, sizes.block)
    parts = row_parts(reader)
    count = OnePass(reader, query_offset, sizes, n_needles, repeats)
    found_by_part = reporting(run(count, parts), len(parts), progress, 0.0, DONE)
    for rows, found in zip(parts, found_by_part, strict=True):
        found.weights.add_to(weights)
        found.visible.add_to(visible)
        logarithms[rows], marked[rows] = found.logarithms, found.marked
        largest.add(found.needles)
        starts = (part.start // sizes.block for part in (rows, found.span))
        known.add(found.known, *starts)
    marginals = Marginals(weights, visible, logarithms, marked, query_offset, sizes)
    cells: tuple[Array, IndexArray, IndexArray] = largest.cells
    listed = zip(*(part.tolist() for part in cells), strict=True)
    needles = [Needle(query, key, weight) for weight, query, key in listed]
    return marginals, needles, known
