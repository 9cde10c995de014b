"""Some rows of the weights, whose costs are asked for again and again."""

import numpy as np

from attnviewer.compute.arguments import flag
from attnviewer.compute.arrays import ALL, Array, BoolArray
from attnviewer.compute.patterns.comparing import Costs, Part, Whole
from attnviewer.compute.patterns.costs import KeptCosts, checked, checked_rows, in_parts
from attnviewer.compute.patterns.kept import Kept
from attnviewer.compute.patterns.reader import (
    TileReader,
    checked_values,
    hidden_cells,
    offset_of,
    tile_reader,
    tiles,
    width_for,
)
from attnviewer.compute.patterns.running import run_in_threads
from attnviewer.compute.windowed import Windowed

MOST_HELD = 2**28
"""The most bytes of weights that are held."""


class RowsInSight:
    """Some rows of the weights, held so that sliders get their costs at once.

    Parameters
    ----------
    matrix : HeadWeights, Windowed, or ndarray of shape (n_q, n_k)
        The weights.
    values : ndarray, shape (n_k, d_v)
        The values, as `HeadWeights.values`.
    rows : slice
        The queries.
    query_offset : int, optional
        As in `find_patterns`.

    Raises
    ------
    TypeError, ValueError
        If a parameter does not fit the matrix, or the rows would take more than
        256 MiB.
    """

    def __init__(
        self,
        matrix: TileReader | Windowed | Array,
        values: Array,
        rows: slice,
        *,
        query_offset: int | None = None,
    ) -> None:
        reader = tile_reader(matrix)
        n_q, n_k = reader.shape
        self._offset = offset_of(matrix, query_offset)
        self._values = checked_values(values, n_k)
        self._rows = checked_rows(rows, n_q)
        self._held = _Held(reader, self._rows)
        self._parts = in_parts(self._held, self._rows)
        read = run_in_threads(self._read, self._parts)
        self._wholes = {
            part.start: whole for part, whole in zip(self._parts, read, strict=True)
        }

    def _read(self, rows: slice) -> Whole:
        """Read the weights of some rows, and return what all of their cells give."""
        found = Whole.zeros(rows.stop - rows.start, self._values.shape[1])
        source = self._held.source
        for keys, tile in tiles(source, rows, width_for(rows)):
            self._held.put(rows, keys, tile)
            hidden = hidden_cells(source, rows, keys, tile)
            found.add(tile, self._values[keys], hidden)
        return found

    def costs(self, kept: Kept, *, renormalize: bool = True) -> KeptCosts:
        """Return what is lost if only some cells are computed, as `kept_costs` does."""
        checked(kept, *self._held.shape)
        renormalize = flag("renormalize", renormalize)

        def compare(rows: slice) -> Part:
            whole = self._wholes[rows.start]
            return Costs(
                self._held, kept, self._values, self._offset, renormalize, whole
            )(rows)

        return KeptCosts.of(list(run_in_threads(compare, self._parts)))


class _Held:
    """Some rows of a matrix, which are held, as a `TileReader`."""

    by_tiles = True

    def __init__(self, source: TileReader, rows: slice) -> None:
        self.source, self._first = source, rows.start
        self.shape = source.shape
        dtype = source.window(slice(0, 0), slice(0, 1)).dtype
        shape = rows.stop - rows.start, self.shape[1]
        size = shape[0] * shape[1] * dtype.itemsize
        if size > MOST_HELD:
            raise ValueError(
                f"The 'rows' must take at most {MOST_HELD:,} bytes. Got {shape[0]:,} "
                f"rows of {size:,} bytes instead."
            )
        self._weights: Array = np.zeros(shape, dtype)

    def put(self, rows: slice, keys: slice, tile: Array) -> None:
        """Write a tile of the weights."""
        self.window(rows, keys)[...] = tile

    def window(self, rows: slice = ALL, columns: slice = ALL) -> Array:
        first = self._first
        return self._weights[rows.start - first : rows.stop - first, columns]

    def hidden(self, rows: slice = ALL, columns: slice = ALL) -> BoolArray | None:
        return self.source.hidden(rows, columns)

    def reach(self, rows: slice) -> slice:
        return self.source.reach(rows)
