"""What a worked text consists of: each step's numbers, and one of them worked out."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from attnviewer.compute import Array, Axis, Cell, Index, Trace
from attnviewer.document import Derivation, Worked, axis_labels
from attnviewer.io.export.computation import Choice, Computation
from attnviewer.io.export.parts import places
from attnviewer.io.export.plain_text import unwrapped

SHOWN = 12
"""Up to how many rows and columns a matrix is shown with; of more, the first and the
last."""
_LONGEST = 16  # characters of a token
_LOOKED_AT = 64  # queries among which one is looked for that sees several keys

Places = tuple[int | None, ...]
"""Rows or columns by their place; None for those that dots stand for."""


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """The numbers of a matrix, or of some of its rows and columns.

    Parameters
    ----------
    shape : tuple of two int
        Of the whole matrix.
    rows, columns : tuple of int or None
        What is shown.
    row_labels, column_labels : tuple of str or None
        Tokens, "" at dots; None for features, or if there shall be no labels.
    values : ndarray, shape (rows, columns)
        The numbers, without the dots.
    """

    shape: tuple[int, int]
    rows: Places
    columns: Places
    row_labels: tuple[str, ...] | None
    column_labels: tuple[str, ...] | None
    values: Array

    @property
    def numbers(self) -> list[list[float | None]]:
        """The numbers row by row, None where there are dots."""
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
        """What is left out, "" if nothing is."""
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
        How it follows from the steps before it; "" if it is given.
    table : Table
        Its numbers.
    worked : Worked or None
        One of them, opened one level; None if it is given, and for further heads.
    """

    step: str
    head: int | None
    formula: str
    table: Table
    worked: Worked | None

    @property
    def title(self) -> str:
        """What the matrix is called."""
        return self.step if self.head is None else f"{self.step}, head {self.head}"


def sections(
    computation: Computation, choice: Choice, derivation: Derivation
) -> Iterator[Section]:
    """Yield every matrix that is chosen.

    Raises
    ------
    ValueError
        If there is no such step, head or cell.
    """
    worked_out = set[str]()
    for step, head in places(computation.trace, choice):
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
    """Return what works numbers out, with tokens that fit into a line."""
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
    # Windows go by heads of queries; one head of keys and values may serve several.
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

    def tokens(axis: Axis, count: int, shown: Places) -> tuple[str, ...] | None:
        if axis == "features" or not choice.headers:
            return None
        named = axis_labels(axis, computation.labels, count)
        return tuple("" if place is None else _short(named[place]) for place in shown)

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


def _shown(part: range) -> Places:
    if len(part) <= SHOWN:
        return tuple(part)
    return (*part[: SHOWN - 2], None, part[-1])


def _spans(shown: Places) -> list[slice]:
    """Return the places without the dots, as slices."""
    first = shown[0]
    assert first is not None
    if None not in shown:
        return [slice(first, first + len(shown))]
    last = shown[-1]
    assert last is not None
    return [slice(first, first + len(shown) - 2), slice(last, last + 1)]


def _telling(trace: Trace, step: str, choice: Choice) -> Cell:
    """Return the cell of a step that tells most: what a query looks at most."""
    head = choice.head or 0
    rows, columns = _chosen(trace, step, choice)
    row_axis, column_axis = trace.stages[step].axes
    query = _query(trace, rows if row_axis == "queries" else None, head)
    weights = trace.window("weights", slice(query, query + 1), head=head)[0]  # (n_k,)
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
    n_queries = trace.shape("weights")[-2]
    among = rows or range(n_queries)
    among = among[:_LOOKED_AT]
    seen = trace.visible_keys(slice(among.start, among.stop), head=head)
    return among.start + int(np.argmax(seen > 1))


def _largest(numbers: Array) -> int:
    """Return where the number of the largest magnitude is, of those that are finite."""
    finite = np.where(np.isfinite(numbers), np.abs(numbers), -1.0)
    return int(np.argmax(finite))
