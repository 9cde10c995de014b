"""The interface of a matrix that views read by window."""

from typing import Protocol

from attnviewer.compute.arrays import ALL, Array, BoolArray


class Windowed(Protocol):
    """A matrix that is read by window; it need not be stored anywhere."""

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""

    def window(self, rows: slice = ALL, columns: slice = ALL) -> Array:
        """Return some of the numbers, shape (rows, columns)."""

    def hidden(self, rows: slice = ALL, columns: slice = ALL) -> BoolArray | None:
        """Return which cells a mask hides, (rows, columns); None without a mask."""
