"""Numbers as HTML tables, for light and dark themes of Jupyter.

Cell colours are translucent and text has the page's colour, so one form suits both.
"""

from collections.abc import Sequence
from html import escape

import numpy as np

from attnviewer.compute.arrays import Array
from attnviewer.compute.number_text import format_number
from attnviewer.compute.statistics import finite_limits

MOST_ROWS = MOST_COLUMNS = 12
"""The most rows and columns of a table; of the rest only the number is shown."""
LONGEST_NAME = 24
DECIMALS = 4
HIGH, LOW = "38,120,190", "205,110,20"
"""Red, green and blue of numbers above and below zero."""
_TABLE = 'cellpadding="4" style="border-collapse:collapse;text-align:right"'


def table_html(
    values: Array,
    rows: Sequence[str] = (),
    columns: Sequence[str] = (),
    *,
    limits: tuple[float, float] | None = None,
    shape: tuple[int, ...] | None = None,
    coloured: bool = True,
    by_column: bool = False,
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
        The numbers of rows and of columns, if these are the first of more.
    coloured : bool
        Whether cells are coloured.
    by_column : bool
        Whether each column has colours of its own, as it has another unit.
    """
    height, width = values.shape if shape is None else shape
    shown = values[:MOST_ROWS, :MOST_COLUMNS]
    most = [0.0] * shown.shape[1]
    if coloured and by_column:
        most = [_largest(finite_limits(column)) for column in shown.T]
    elif coloured:
        ends = finite_limits(np.asarray(values)) if limits is None else limits
        most = [_largest(ends)] * shown.shape[1]
    lines = [_headings([_name(columns, k) for k in range(shown.shape[1])])]
    decimals = 0 if np.array_equal(shown, np.rint(shown)) else DECIMALS
    for index, row in enumerate(shown.tolist()):
        cells = "".join(
            _cell(float(number), largest, decimals)
            for number, largest in zip(row, most, strict=True)
        )
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


def _largest(ends: tuple[float, float] | None) -> float:
    return 0.0 if ends is None else max(map(abs, ends))


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
        colour = f"{LOW if number < 0 else HIGH},{0.6 * share:.2f}"
        style = f' style="background:rgba({colour})"'
    return f"<td{style}>{format_number(number, decimals)}</td>"
