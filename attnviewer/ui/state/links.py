"""What belongs together: a cell of one step, and the rows and columns of the others."""

from dataclasses import dataclass

from attnviewer.compute import Axis, Trace
from attnviewer.ui.state.selection import Position


@dataclass(frozen=True, slots=True)
class Linked:
    """What of a step belongs to a cell of another one.

    Parameters
    ----------
    rows, columns : tuple of int
        Whole rows where there are no columns, and the other way round; the cells
        at which they meet where there are both.
    """

    rows: tuple[int, ...] = ()
    columns: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.rows or self.columns)


_ROLES: dict[Axis, tuple[str, ...]] = {
    "queries": ("query",),
    "keys": ("key",),
    "tokens": ("query", "key"),
    "features": (),
}
"""What the places of an axis may be to a cell."""


def linked(trace: Trace, step: str, cell: Position, other: str) -> Linked:
    """Return what of a step belongs to a cell of another one.

    A cell stands for a query, a key or both, by the axes of its step. Cell (i, j)
    of the scores belongs to row i of the queries and row j of the keys, and every
    step has the places that its own axes give it. Tokens that are both queries and
    keys have two rows; in cross-attention they are queries alone.

    Parameters
    ----------
    trace : Trace
        The steps.
    step : str
        The step of the cell.
    cell : tuple of two int
        Row and column.
    other : str
        The step that is asked about.
    """
    if other == step:
        return Linked((cell[0],), (cell[1],))
    roles = {**_ROLES, "tokens": _ROLES["queries"]} if trace.spec.context else _ROLES
    standing = {
        role: place
        for axis, place in zip(trace.stages[step].axes, cell, strict=True)
        for role in roles[axis]
    }
    rows, columns = (
        tuple(sorted({standing[role] for role in roles[axis] if role in standing}))
        for axis in trace.stages[other].axes
    )
    return Linked(rows, columns)
