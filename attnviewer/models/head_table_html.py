"""The table of heads as HTML, for Jupyter."""

from collections.abc import Sequence
from html import escape

import numpy as np

from attnviewer.compute import Array
from attnviewer.compute.html import table_html
from attnviewer.compute.matrix_svg import MOST_SIDE, matrix_svg

SIDE = 96
"""Of the picture of a column, in pixels."""


def rows_html(
    values: Array, columns: Sequence[str], count: int, notes: Sequence[str]
) -> str:
    """Return the first rows as a table, with notes.

    Parameters
    ----------
    values : ndarray, shape (rows, columns)
        The first rows, layer and head first.
    columns : sequence of str
        The names of the columns.
    count : int
        The number of rows.
    notes : sequence of str
        Sentences below the table.
    """
    names = [f"L{int(layer)} H{int(head)}" for layer, head in values[:, :2]]
    shape = count, len(columns) - 2
    table = table_html(values[:, 2:], names, columns[2:], shape=shape, by_column=True)
    below = "".join(f"<div><small>{escape(note)}</small></div>" for note in notes)
    return f"<div>{table}{below}</div>"


def maps_html(values: Array, columns: Sequence[str]) -> str:
    """Return a picture of each column, layers down and heads across.

    Parameters
    ----------
    values : ndarray, shape (layers, heads, columns)
        All numbers, layer and head first.
    columns : sequence of str
        The names of the columns.
    """
    if max(values.shape[:2]) > MOST_SIDE:
        return ""
    maps = "".join(
        '<div style="display:inline-block;margin:4px 12px 4px 0">'
        f"<div><small>{escape(name)}</small></div>"
        f"{matrix_svg(values[:, :, column], side=SIDE)}</div>"
        for column, name in enumerate(columns)
        if column > 1 and not np.isnan(values[:, :, column]).all()
    )
    caption = "<small>All heads, layers down and heads across</small>"
    return f"<div>{caption}<div>{maps}</div></div>"
