"""What belongs together: a cell of one step, and the rows and columns of the others."""

from dataclasses import dataclass

from attnviewer.compute import Axis, Trace
from attnviewer.ui.selection import Position


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


def linked(trace: Trace, step: str, cell: Position, other: str) -> Linked:
    """Return what of a step belongs to a cell of another one.

    A cell stands for a query, a key or both, by the axes of its step. Cell (i, j)
    of the scores belongs to row i of the queries and row j of the keys, and every
    step has the places that its own axes give it. Tokens that are both queries and
    keys have two rows.

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
    query, key = _tokens(trace, step, cell)
    return Linked(*(_places(a, query, key) for a in trace.stages[other].axes))


def _tokens(trace: Trace, step: str, cell: Position) -> tuple[int | None, int | None]:
    """Return the query and the key that a cell stands for."""
    query = key = None
    for axis, place in zip(trace.stages[step].axes, cell, strict=True):
        if axis in ("queries", "tokens"):
            query = place
        if axis in ("keys", "tokens"):
            key = place
    return query, key


def _places(axis: Axis, query: int | None, key: int | None) -> tuple[int, ...]:
    wanted = {"queries": (query,), "keys": (key,), "tokens": (query, key)}
    found = {place for place in wanted.get(axis, ()) if place is not None}
    return tuple(sorted(found))
