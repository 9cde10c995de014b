"""The cell of another step that a cell leads to."""

from typing import NamedTuple

import numpy as np

from attnviewer.compute import Axis, Trace
from attnviewer.ui.state.heads import own_head, query_head
from attnviewer.ui.state.selection import Position

_TOKENS: tuple[Axis, ...] = ("tokens", "queries", "keys")


class Columns(NamedTuple):
    """The columns of a step that holds heads side by side.

    Parameters
    ----------
    divided : str
        The step that holds the heads one by one.
    width : int
        How many columns each of them has.
    """

    divided: str
    width: int


def carried_cell(
    trace: Trace, origin: str, cell: Position, step: str, head: int
) -> tuple[int, Position]:
    """Return the query head and the cell of a step to show after those of another.

    Rows and columns stay with their queries, keys and features, and columns with their
    heads. Where the other step has none of them, a query leads to its strongest key,
    and vectors begin with their first column.

    Parameters
    ----------
    trace : Trace
        The steps.
    origin, step : str
        The step to come from, and the one to go to.
    cell : tuple of two int
        A cell of `origin`.
    head : int
        The chosen query head.
    """
    left, right = _side_by_side(trace, origin), _side_by_side(trace, step)
    here, (rows, columns) = _axes(trace, origin, left), _axes(trace, step, right)
    row, column = cell
    owner = head
    if left is not None and (right is not None or trace.n_heads(step) > 1):
        number, column = divmod(column, left.width)
        owner = query_head(trace, left.divided, number, head)
        if right is None and columns == here[1]:
            head = owner
    where = {here[0]: row, here[1]: column}
    if here != (rows, columns):
        row = _row(where, rows, row)
    if columns in where:
        column = where[columns]
    elif columns == "keys":
        column = _strongest_key(trace, head, row, otherwise=column)
    else:
        column = 0
    if right is not None:
        column += own_head(trace, right.divided, owner) * right.width
    n_rows, n_columns = trace.matrix_shape(step)
    return head, (min(row, n_rows - 1), min(column, n_columns - 1))


def _row(where: dict[Axis, int], rows: Axis, otherwise: int) -> int:
    """Return the row of the same token; without one, the row with the same number."""
    if rows in where:
        return where[rows]
    return next((where[axis] for axis in _TOKENS if axis in where), otherwise)


def _strongest_key(trace: Trace, head: int, query: int, *, otherwise: int) -> int:
    """Return the key with the largest weight; another where no weight is shown."""
    row = slice(query, query + 1)
    weights = trace.window("weights", row, slice(None), head=head)  # (≤ 1, n_k)
    if not np.isfinite(weights).any():
        return otherwise
    return int(np.nanargmax(weights))


def _axes(trace: Trace, step: str, columns: Columns | None) -> tuple[Axis, Axis]:
    """Return what the rows and the columns of one head stand for."""
    stages = trace.stages
    divided = step if columns is None else columns.divided
    return stages[step].axes[0], stages[divided].axes[1]


def _side_by_side(trace: Trace, step: str) -> Columns | None:
    """Return the columns of a step that holds heads side by side; None for others."""
    for stage in trace.stages.values():
        if stage.rearranges:
            names = stage.name, stage.inputs[0]
            divided = min(names, key=lambda name: trace.shape(name)[-1])
            if step in names and step != divided:
                return Columns(divided, trace.shape(divided)[-1])
    return None
