"""A matrix that is stored as an array."""

from attnviewer.compute.arrays import ALL, Array, BoolArray


class InMemory:
    """An array as a matrix that is read by window.

    Parameters
    ----------
    values : ndarray, shape (rows, columns)
        The numbers.
    hidden : ndarray of bool, shape (rows, columns), optional
        Cells that a mask hides.
    pinned : ndarray of bool, shape (rows, columns), optional
        Cells that are pinned.
    """

    def __init__(
        self,
        values: Array,
        hidden: BoolArray | None = None,
        pinned: BoolArray | None = None,
    ) -> None:
        self._values = values
        self._hidden, self._pinned = hidden, pinned

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        rows, columns = self._values.shape
        return rows, columns

    def window(self, rows: slice = ALL, columns: slice = ALL) -> Array:
        """Return some of the numbers, shape (rows, columns)."""
        return self._values[rows, columns]

    def hidden(self, rows: slice = ALL, columns: slice = ALL) -> BoolArray | None:
        """Return which cells a mask hides, (rows, columns); None without a mask."""
        return None if self._hidden is None else self._hidden[rows, columns]

    def pinned(self, rows: slice = ALL, columns: slice = ALL) -> BoolArray | None:
        """Return which cells are pinned, (rows, columns); None if none is."""
        return None if self._pinned is None else self._pinned[rows, columns]
