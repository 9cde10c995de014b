"""The mapping between the rows and columns of two pictures."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Self

from attnviewer.compute import IndexArray
from attnviewer.ui.state.links import Linked
from attnviewer.ui.state.selection import Marked, Position


@dataclass(frozen=True, slots=True)
class IndexMapping:
    """Maps the rows and columns of one matrix to those of another.

    Parameters
    ----------
    rows, columns : mapping of int to int
        Indices there, for those that have a counterpart.
    """

    rows: Mapping[int, int]
    columns: Mapping[int, int]

    @classmethod
    def of(cls, rows: IndexArray, columns: IndexArray) -> Self:
        """Return the mapping from B to A, given the result of `Comparison.indices`."""
        known = (
            {here: there for here, there in enumerate(indices.tolist()) if there >= 0}
            for indices in (rows, columns)
        )
        return cls(*known)

    @property
    def back(self) -> "IndexMapping":
        """The inverse mapping."""
        return IndexMapping(
            *({v: k for k, v in m.items()} for m in (self.rows, self.columns))
        )

    def cell(self, cell: Position | None) -> Position | None:
        """Return the counterpart of a cell; None if it has none."""
        if cell is None or cell[0] not in self.rows or cell[1] not in self.columns:
            return None
        return self.rows[cell[0]], self.columns[cell[1]]

    def linked(self, linked: Linked) -> Linked:
        """Return the counterparts of linked rows and columns."""
        return Linked(
            tuple(_led(linked.rows, self.rows)),
            tuple(_led(linked.columns, self.columns)),
        )

    def marked(self, marked: Marked) -> Marked:
        """Return the counterparts of marked rows and columns."""
        return Marked(
            frozenset(_led(marked.rows, self.rows)),
            frozenset(_led(marked.columns, self.columns)),
        )


def _led(indices: Iterable[int], ways: Mapping[int, int]) -> list[int]:
    return [ways[index] for index in indices if index in ways]
