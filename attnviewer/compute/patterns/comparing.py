"""The output of some cells of the weights beside that of all."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from attnviewer.compute.arrays import Array, BoolArray, IndexArray
from attnviewer.compute.patterns.kept import Kept
from attnviewer.compute.patterns.reader import (
    TileReader,
    hidden_cells,
    tiles,
    width_for,
)


@dataclass(frozen=True, eq=False)
class Whole:
    """The sums over all cells of some queries.

    Attributes
    ----------
    output : ndarray, shape (rows, d_v)
        The weighted values.
    total : ndarray, shape (rows,)
        The sums of the sizes of the weights.
    visible : ndarray of intp, shape (rows,)
        How many cells no mask hides.
    """

    output: Array
    total: Array
    visible: IndexArray

    @staticmethod
    def zeros(n_rows: int, d_v: int) -> "Whole":
        """Return what no cells give."""
        return Whole(
            np.zeros((n_rows, d_v)), np.zeros(n_rows), np.zeros(n_rows, np.intp)
        )

    def add(self, tile: Array, values: Array, hidden: BoolArray | None) -> None:
        """Add the cells of a tile, (rows, keys), with the values of its keys."""
        np.add(self.output, tile @ values, out=self.output)
        np.add(self.total, sizes_of(tile).sum(axis=1, dtype=np.float64), out=self.total)
        count = tile.shape[1] - (0 if hidden is None else hidden.sum(axis=1))
        np.add(self.visible, count, out=self.visible)


def sizes_of(tile: Array) -> Array:
    """Return the sizes of weights, which may be negative."""
    return tile if tile.min() >= 0 else np.abs(tile)  # not `< 0`, which NaN makes false


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """The costs of a block of queries."""

    kept: Array
    difference: Array
    norm: Array
    cells: int
    visible: int
    largest: float


@dataclass(frozen=True, eq=False)
class Costs:
    """Compares the outputs of a block of queries; can be sent to another process.

    Parameters
    ----------
    reader : TileReader
        The weights.
    kept : Kept
        The cells that are computed.
    values : ndarray, shape (n_k, d_v)
        The values.
    query_offset : int
        Position of the first query among the keys.
    renormalize : bool
        Whether the weights that are kept make up for the others.
    whole : Whole, optional
        What all cells of the queries give, if it is known.
    """

    reader: TileReader
    kept: Kept
    values: Array
    query_offset: int
    renormalize: bool
    whole: Whole | None = None

    def __call__(self, rows: slice) -> Part:
        """Return the costs of some queries."""
        n_rows, d_v = rows.stop - rows.start, self.values.shape[1]
        whole = self.whole or Whole.zeros(n_rows, d_v)
        output, kept = np.zeros((n_rows, d_v)), np.zeros(n_rows)
        cells = np.zeros(n_rows, np.intp)
        for keys, tile in self._tiles(rows):
            sizes = sizes_of(tile)  # (rows, keys)
            mask = self.kept.mask(rows, keys, self.query_offset, sizes)
            if mask is None and self.whole is not None:
                continue
            values = self.values[keys]  # (keys, d_v)
            hidden = hidden_cells(self.reader, rows, keys, tile)
            if self.whole is None:
                whole.add(tile, values, hidden)
            if mask is None:
                continue
            cells += (mask if hidden is None else mask & ~hidden).sum(axis=1)
            used = np.flatnonzero(mask.any(axis=0))
            if 2 * used.size < mask.shape[1]:
                mask, tile, sizes = mask[:, used], tile[:, used], sizes[:, used]
                values = values[used]
            output += np.where(mask, tile, 0) @ values
            kept += np.where(mask, sizes, 0).sum(axis=1, dtype=np.float64)
        return self._compared(whole, output, kept, cells)

    def _tiles(self, rows: slice) -> Iterator[tuple[slice, Array]]:
        if self.kept.whole_rows:
            yield slice(0, self.reader.shape[1]), self.reader.window(rows)
        else:
            yield from tiles(self.reader, rows, width_for(rows))

    def _compared(
        self, whole: Whole, output: Array, kept: Array, cells: IndexArray
    ) -> Part:
        """Return the costs of queries from their sums.

        Parameters
        ----------
        whole : Whole
            What all cells give.
        output : ndarray, shape (rows, d_v)
            The weighted values of the cells that are kept.
        kept : ndarray, shape (rows,)
            The sizes of the weights that are kept.
        cells : ndarray of intp, shape (rows,)
            How many cells are kept.
        """
        marked = ~np.isfinite(whole.total)
        share = np.where(whole.total > 0, kept / whole.total, 1.0)  # (rows,)
        share[marked] = np.nan
        if self.renormalize:
            output = output / np.where(kept > 0, share, 1.0)[:, np.newaxis]
        change = whole.output - output  # (rows, d_v)
        change[marked] = np.nan
        norm = np.linalg.norm(whole.output, axis=1)  # (rows,)
        norm[marked] = np.nan
        return Part(
            share,
            np.linalg.norm(change, axis=1),
            norm,
            int(cells[~marked].sum()),
            int(whole.visible[~marked].sum()),
            float(np.abs(change[~marked]).max(initial=0.0)),
        )
