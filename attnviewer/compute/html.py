"""Steps and formulas as HTML, for light and dark themes of Jupyter.

Cell colours are translucent and text has the page's colour, so one form suits both.
"""

import math
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from attnviewer.compute.arrays import Array
from attnviewer.compute.notation import plain_text, write
from attnviewer.compute.number_text import format_number, rounded
from attnviewer.compute.statistics import finite_limits

if TYPE_CHECKING:
    from attnviewer.compute.formula import Formula
    from attnviewer.compute.trace import Trace

MOST_ROWS = MOST_COLUMNS = 12
"""The most rows and columns of a table; of the rest only the number is shown."""
MOST_HEADS = 2
MOST_READ = 2**20
"""The most numbers that are read for the colours; of larger steps, those shown."""
LONGEST_NAME = 24
_DECIMALS = 4
_HIGH, _LOW = "38,120,190", "205,110,20"
"""Red, green and blue of numbers above and below zero."""
_TABLE = 'cellpadding="4" style="border-collapse:collapse;text-align:right"'


def trace_html(
    trace: "Trace", rows: Sequence[str] = (), columns: Sequence[str] = ()
) -> str:
    """Return the steps of a computation, each of which can be opened.

    Parameters
    ----------
    trace : Trace
        The computation.
    rows, columns : sequence of str
        Labels of the queries and keys; by default their positions.
    """
    called = {"tokens": rows, "queries": rows, "keys": columns}
    pieces = []
    for name in trace:
        axes = trace.stages[name].axes
        names = [called.get(axis, ()) for axis in axes]
        shape = "×".join(map(str, trace.shape(name)))
        opened = " open" if name == trace.pipeline.weights else ""
        pieces.append(
            f"<details{opened}><summary><b>{escape(name)}</b> "
            f"<small>{shape} · {escape(trace.stages[name].formula)}</small></summary>"
            f"{_heads_html(trace, name, *names)}</details>"
        )
    return f"<div>{''.join(pieces)}</div>"


def _heads_html(
    trace: "Trace", name: str, rows: Sequence[str], columns: Sequence[str]
) -> str:
    heads = trace.n_heads(name)
    few = slice(MOST_ROWS), slice(MOST_COLUMNS)
    size = math.prod(trace.shape(name))
    limits = trace.limits(name) if size <= MOST_READ else None
    tables = []
    for head in range(min(heads, MOST_HEADS)):
        # Windows take heads of queries; several may share one of keys and values.
        window = trace.window(name, *few, head=trace.served_by(name, head)[0])
        if heads > 1:
            tables.append(f"<div><small>head {head}</small></div>")
        whole = trace.matrix_shape(name)  # a bias is a single row
        tables.append(table_html(window, rows, columns, limits=limits, shape=whole))
    if heads > MOST_HEADS:
        tables.append(f"<small>and {heads - MOST_HEADS} more heads</small>")
    return "".join(tables)


def table_html(
    values: Array,
    rows: Sequence[str] = (),
    columns: Sequence[str] = (),
    *,
    limits: tuple[float, float] | None = None,
    shape: tuple[int, ...] | None = None,
    coloured: bool = True,
) -> str:
    """Return numbers as a table whose cells are coloured by them.

    Parameters
    ----------
    values : ndarray, shape (rows, columns)
        The numbers, of which the first are shown.
    rows, columns : sequence of str
        Their labels; by default their positions.
    limits : tuple of two float, optional
        The smallest and the largest number of those that share the colours.
    shape : tuple of two int, optional
        How many rows and columns there are, if these are the first of more.
    coloured : bool
        Whether cells are coloured; not useful where columns cannot be compared.
    """
    height, width = values.shape if shape is None else shape
    shown = values[:MOST_ROWS, :MOST_COLUMNS]
    ends = finite_limits(np.asarray(values)) if limits is None else limits
    most = max(map(abs, ends)) if ends is not None and coloured else 0.0
    lines = [_headings([_name(columns, k) for k in range(shown.shape[1])])]
    decimals = 0 if np.array_equal(shown, np.rint(shown)) else _DECIMALS
    for index, row in enumerate(shown.tolist()):
        cells = "".join(_cell(float(number), most, decimals) for number in row)
        name = escape(_name(rows, index))
        lines.append(f"<tr><td>{name}</td>{cells}</tr>")
    more = [
        f"{count - kept:,} more {what}"
        for count, kept, what in (
            (height, shown.shape[0], "rows"),
            (width, shown.shape[1], "columns"),
        )
        if count > kept
    ]
    below = f"<small>and {', '.join(more)}</small>" if more else ""
    return f"<table {_TABLE}>{''.join(lines)}</table>{below}"


def formula_html(formula: "Formula") -> str:
    """Return a number and its derivation, line by line."""
    lines = [f"<b>{escape(formula_name(formula))}</b> = {escape(formula.symbols)}"]
    lines += [f"= {escape(plain_text(write(step)))}" for step in formula.steps]
    value = f"= {rounded(formula.value, _DECIMALS)}"
    if lines[-1] != value:
        lines.append(value)
    if formula.note:
        lines.append(f"<small>{escape(formula.note)}</small>")
    return f"<div>{'<br>'.join(lines)}</div>"


def formula_name(formula: "Formula") -> str:
    """Return the name of a formula's cell: ``weights[0, 2]``."""
    return f"{formula.cell.step}[{', '.join(map(str, formula.cell.index))}]"


def _headings(names: Sequence[str]) -> str:
    cells = "".join(f"<td>{escape(name)}</td>" for name in names)
    return f"<tr><td></td>{cells}</tr>"


def _name(names: Sequence[str], index: int) -> str:
    if index >= len(names):
        return str(index)
    name = names[index]
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


def _cell(number: float, most: float, decimals: int) -> str:
    style = ""
    if most and np.isfinite(number):
        share = min(1.0, abs(number) / most)
        colour = f"{_LOW if number < 0 else _HIGH},{0.6 * share:.2f}"
        style = f' style="background:rgba({colour})"'
    return f"<td{style}>{format_number(number, decimals)}</td>"
