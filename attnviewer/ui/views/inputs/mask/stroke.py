"""One stroke of painting over a table."""

from dataclasses import dataclass, field
from typing import TypeAlias

Cell: TypeAlias = tuple[int, int]
"""A row and a column."""


@dataclass(eq=False, slots=True)
class Stroke:
    """The cells that one drag paints.

    Parameters
    ----------
    visible : bool
        Whether it shows or hides cells.

    Attributes
    ----------
    painted : set of tuple of int
        The changed cells.
    """

    visible: bool
    painted: set[Cell] = field(default_factory=set)
    _last: Cell | None = None

    def reach(self, cell: Cell) -> list[Cell]:
        """Continue to a cell; return all cells on the straight line to it.

        The pointer of a quick drag skips cells, which must be painted, too.
        """
        row, column = self._last or cell
        self._last = cell
        down, right = cell[0] - row, cell[1] - column
        steps = max(abs(down), abs(right))
        return [
            (row + round(down * k / steps), column + round(right * k / steps))
            for k in range(1, steps + 1)
        ] or [cell]
