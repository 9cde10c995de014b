"""A block of cells."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Region:
    """A block of cells: the upper left one, and how many rows and columns."""

    row: int
    column: int
    height: int
    width: int

    @property
    def rows(self) -> slice:
        """Its rows."""
        return slice(self.row, self.row + self.height)

    @property
    def columns(self) -> slice:
        """Its columns."""
        return slice(self.column, self.column + self.width)

    def is_inside(self, shape: Sequence[int]) -> bool:
        """Return whether it has cells, all of which a matrix of a shape has as well."""
        rows, columns = shape
        whole = Region(0, 0, rows, columns)
        return min(self.height, self.width) >= 1 and whole.contains(self)

    def contains(self, other: "Region") -> bool:
        """Return whether all cells of another block are cells of this one."""
        return (
            self.row <= other.row
            and self.column <= other.column
            and other.rows.stop <= self.rows.stop
            and other.columns.stop <= self.columns.stop
        )
