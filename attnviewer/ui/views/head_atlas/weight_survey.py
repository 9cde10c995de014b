"""The weight of each head of a model on one cell."""

from typing import TYPE_CHECKING

from attnviewer.compute import HeadLocation, head_locations
from attnviewer.ui.state.selection import Position

if TYPE_CHECKING:
    from collections.abc import Iterator

    from attnviewer.models.heads import ModelHeads


class WeightSurvey:
    """Reads one weight of each head, a head at a time.

    Parameters
    ----------
    heads : ModelHeads
        The heads.
    cell : tuple of two int
        Query and key.
    """

    def __init__(self, heads: "ModelHeads", cell: Position) -> None:
        self._heads, self._cell = heads, cell
        self._left: Iterator[HeadLocation] = iter(head_locations(heads))
        self._found: list[tuple[HeadLocation, float]] = []

    def advance(self) -> bool:
        """Read the next weight; return whether there was one."""
        location = next(self._left, None)
        if location is None:
            return False
        row, column = self._cell
        matrix = self._heads.matrix(location)
        here = matrix.window(slice(row, row + 1), slice(column, column + 1))  # (1, 1)
        self._found.append((location, float(here[0, 0])))
        return True

    def strongest(self, count: int) -> list[tuple[HeadLocation, float]]:
        """Return the heads with the largest weights of those read, largest first."""
        ranked = sorted(self._found, key=lambda found: -found[1])
        return ranked[:count]
