"""The sections of a worked text: each step's numbers, and one of them worked out."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from attnviewer.compute import NUMBERED, Array, Axis, Cell, Index, Trace
from attnviewer.document import Derivation, Worked
from attnviewer.document.labels import axis_labels
from attnviewer.io.export.computation import Choice, Computation
from attnviewer.io.export.parts import chosen_matrices
from attnviewer.io.export.plain_text import unwrapped

SHOWN = 12
"""Maximum rows and columns of a table; larger ones show the first and the last."""
_LONGEST = 16  # characters of a token
_LOOKED_AT = 64  # queries that are searched for one that sees several keys

ShownIndices = tuple[int | None, ...]
"""Indices of rows or columns; None stands for an ellipsis."""


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """The numbers of a matrix, possibly abridged.

    Parameters
    ----------
    shape : tuple of two int
        Of the whole matrix.
    rows, columns : tuple of int or None
        The rows and columns that are shown.
    row_labels, column_labels : tuple of str or None
        Tokens, "" at an ellipsis; None for features, or without labels.
    values : ndarray, shape (rows, columns)
        The numbers, without ellipses.
    """

    shape: tuple[int, int]
    rows: ShownIndices
    columns: ShownIndices
    row_labels: tuple[str, ...] | None
    column_labels: tuple[str, ...] | None
    values: Array

    @property
    def numbers(self) -> list[list[float | None]]:
        """The numbers row by row, None at an ellipsis."""
        held = iter(self.values.tolist())
        shown = []
        for row in self.rows:
            numbers = iter([] if row is None else next(held))
            shown.append(
                [
                    None if row is None or column is None else float(next(numbers))
                    for column in self.columns
                ]
            )
        return shown

    @property
    def remark(self) -> str:
        """A remark on what is left out; "" if nothing is."""
        if None not in self.rows + self.columns:
            return ""
        rows, columns = self.shape
        return f"In part: of {rows} × {columns} numbers, dots stand for the others."


@dataclass(frozen=True, slots=True, eq=False)
class Section:
    """One matrix of a step.

    Parameters
    ----------
    step : str
        The step.
    head : int or None
        Which of its heads, if it has several.
    formula : str
        Its formula; "" for an input.
    table : Table
        Its numbers.
    worked : Worked or None
        One of them, expanded one level; None for inputs, and for further heads.
    """

    step: str
    head: int | None
    formula: str
    table: Table
    worked: Worked | None

    @property
    def title(self) -> str:
        """The name of the matrix."""
        return self.step if self.head is None else f"{self.step}, head {self.head}"


def sections(
    computation: Computation, choice: Choice, derivation: Derivation
) -> Iterator[Section]:
    """Yield every chosen matrix.

    Raises
    ------
    ValueError
        If there is no such step, head or cell.
    """
    worked_out = set[str]()
    for step, head in chosen_matrices(computation.trace, choice):
        stage = computation.trace.stages[step]
        worked = None
        if stage.inputs and step not in worked_out:
            worked = derivation.of(_telling(computation.trace, step, choice))
            derivation.open(worked)
            worked_out.add(step)
        table = _table(computation, step, head, choice)
        formula = stage.formula if stage.inputs else ""
        yield Section(step, head, formula, table, worked)


def derivation(computation: Computation) -> Derivation:
    """Return the derivation of a computation, with shortened tokens."""
    return Derivation(computation.trace, computation.labels, _short)


def _short(label: str) -> str:
    line = unwrapped(label)
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def _table(
    computation: Computation, step: str, head: int | None, choice: Choice
) -> Table:
    trace = computation.trace
    height, width = trace.matrix_shape(step)
    rows, columns = map(_shown, _chosen(trace, step, choice))
    # Windows are indexed by query head; several may share one head of keys and values.
    served = trace.served_by(step, head or 0)
    values = np.block(
        [
            [
                trace.window(step, down, across, head=served[0])
                for across in _spans(columns)
            ]
            for down in _spans(rows)
        ]
    )

    def tokens(axis: Axis, count: int, shown: ShownIndices) -> tuple[str, ...] | None:
        if axis in NUMBERED or not choice.headers:
            return None
        named = axis_labels(axis, computation.labels, count)
        return tuple("" if index is None else _short(named[index]) for index in shown)

    row_axis, column_axis = trace.stages[step].axes
    return Table(
        (height, width),
        rows,
        columns,
        tokens(row_axis, height, rows),
        tokens(column_axis, width, columns),
        values,
    )


def _chosen(trace: Trace, step: str, choice: Choice) -> tuple[range, range]:
    if choice.cells is not None:
        rows, columns = choice.cells.rows, choice.cells.columns
        return range(rows.start, rows.stop), range(columns.start, columns.stop)
    height, width = trace.matrix_shape(step)
    return range(height), range(width)


def _shown(part: range) -> ShownIndices:
    if len(part) <= SHOWN:
        return tuple(part)
    return (*part[: SHOWN - 2], None, part[-1])


def _spans(shown: ShownIndices) -> list[slice]:
    """Return the shown indices as slices."""
    first = shown[0]
    assert first is not None
    if None not in shown:
        return [slice(first, first + len(shown))]
    last = shown[-1]
    assert last is not None
    return [slice(first, first + len(shown) - 2), slice(last, last + 1)]


def _telling(trace: Trace, step: str, choice: Choice) -> Cell:
    """Return the most telling cell of a step: where a query has its largest weight."""
    head = choice.head or 0
    rows, columns = _chosen(trace, step, choice)
    row_axis, column_axis = trace.stages[step].axes
    query = _query(trace, rows if row_axis == "queries" else None, head)
    one = slice(query, query + 1)
    weights = trace.window(trace.pipeline.weights, one, head=head)[0]  # (n_k,)
    key = _largest(weights)
    row = {"queries": query, "tokens": query, "keys": key}.get(row_axis, 0)
    row = min(max(row, rows.start), rows.stop - 1)
    if column_axis == "keys" and key in columns:
        column = key
    else:
        window = trace.window(
            step,
            slice(row, row + 1),
            slice(columns.start, columns.stop),
            head=head,
        )
        column = columns.start + _largest(window[0])
    lead: Index = trace.matrix_index(step, head)
    return Cell(step, (*lead, row, column))


def _query(trace: Trace, rows: range | None, head: int) -> int:
    """Return the first query that sees more than one key, or else the first."""
    n_queries = trace.shape(trace.pipeline.weights)[-2]
    among = rows or range(n_queries)
    among = among[:_LOOKED_AT]
    seen = trace.visible_keys(slice(among.start, among.stop), head=head)
    return among.start + int(np.argmax(seen > 1))


def _largest(numbers: Array) -> int:
    """Return the index of the finite number of largest magnitude."""
    finite = np.where(np.isfinite(numbers), np.abs(numbers), -1.0)
    return int(np.argmax(finite))
