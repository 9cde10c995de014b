"""Linked highlighting: the rows and columns of other steps that belong to a cell."""

from dataclasses import dataclass

from attnviewer.compute import Axis, Trace
from attnviewer.ui.state.selection import Position


@dataclass(frozen=True, slots=True)
class Linked:
    """The part of a step that belongs to a cell of another one.

    Parameters
    ----------
    rows, columns : tuple of int
        Whole rows if there are no columns, and vice versa; if there are both, the cells
        at their intersections.
    """

    rows: tuple[int, ...] = ()
    columns: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.rows or self.columns)


_ROLES: dict[Axis, tuple[str, ...]] = {
    "queries": ("query",),
    "keys": ("key",),
    "tokens": ("query", "key"),
    "distances": (),
    "features": (),
}
"""The roles that the indices of an axis can have for a cell."""


def linked(trace: Trace, step: str, cell: Position, other: str) -> Linked:
    """Return the part of a step that belongs to a cell of another one.

    A cell stands for a query, a key or both, depending on the axes of its step. Cell
    (i, j) of the scores belongs to row i of the queries and row j of the keys, and to
    the rows and columns of every other step that its axes imply. Tokens that are both
    queries and keys have two rows; in cross-attention they are only queries.

    Parameters
    ----------
    trace : Trace
        The steps.
    step : str
        The step of the cell.
    cell : tuple of two int
        Row and column.
    other : str
        The step whose part is wanted.
    """
    if other == step:
        return Linked((cell[0],), (cell[1],))
    roles = {**_ROLES, "tokens": _ROLES["queries"]} if trace.spec.context else _ROLES
    standing = {
        role: index
        for axis, index in zip(trace.stages[step].axes, cell, strict=True)
        for role in roles[axis]
    }
    rows, columns = (
        tuple(sorted({standing[role] for role in roles[axis] if role in standing}))
        for axis in trace.stages[other].axes
    )
    return Linked(rows, columns)
