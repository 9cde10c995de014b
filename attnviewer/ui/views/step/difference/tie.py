"""What of one picture belongs to what of the other."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Self

from attnviewer.compute import Places
from attnviewer.ui.state.links import Linked
from attnviewer.ui.state.selection import Marked, Position


@dataclass(frozen=True, slots=True)
class Tie:
    """Leads from the rows and columns of one matrix to those of another.

    Parameters
    ----------
    rows, columns : mapping of int to int
        The places there of those that have one.
    """

    rows: Mapping[int, int]
    columns: Mapping[int, int]

    @classmethod
    def of(cls, rows: Places, columns: Places) -> Self:
        """Return that from B to A, from what `Comparison.places` returns."""
        known = (
            {here: there for here, there in enumerate(places.tolist()) if there >= 0}
            for places in (rows, columns)
        )
        return cls(*known)

    @property
    def back(self) -> "Tie":
        """What leads the other way."""
        return Tie(*({v: k for k, v in m.items()} for m in (self.rows, self.columns)))

    def cell(self, cell: Position | None) -> Position | None:
        """Return the cell that belongs to one; None if it has none."""
        if cell is None or cell[0] not in self.rows or cell[1] not in self.columns:
            return None
        return self.rows[cell[0]], self.columns[cell[1]]

    def linked(self, linked: Linked) -> Linked:
        """Return what of the rows and columns is there."""
        return Linked(
            tuple(_led(linked.rows, self.rows)),
            tuple(_led(linked.columns, self.columns)),
        )

    def marked(self, marked: Marked) -> Marked:
        """Return what of the marked rows and columns is there."""
        return Marked(
            frozenset(_led(marked.rows, self.rows)),
            frozenset(_led(marked.columns, self.columns)),
        )


def _led(places: Iterable[int], ways: Mapping[int, int]) -> list[int]:
    return [ways[index] for index in places if index in ways]
