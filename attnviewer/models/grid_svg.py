"""A grid of numbers as a picture in SVG, for light and dark pages.

Colours are translucent and text has the page's colour, so one form suits both.
"""

import re
from collections.abc import Sequence
from html import escape

import numpy as np

from attnviewer.compute import Array
from attnviewer.compute.html import HIGH, LONGEST_NAME, LOW
from attnviewer.compute.matrix_svg import MOST_SIDE, matrix_svg
from attnviewer.compute.number_text import format_number
from attnviewer.compute.statistics import finite_limits

MOST_CELLS = 2**12
"""The most cells of a picture with labels."""
_CELL, _LETTER, _MARGIN = 24, 7, 6
"""Side of a cell, width of a letter and space around labels, in pixels."""
_DECIMALS = 6
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def grid_picture(
    values: Array, rows: Sequence[str], columns: Sequence[str], center: float = 0.0
) -> str:
    """Return a picture with labels, of a larger grid without; "" if it is too large.

    Parameters
    ----------
    values : ndarray, shape (rows, columns)
        The numbers.
    rows, columns : sequence of str
        Their labels.
    center : float
        The number of a cell without colour.
    """
    if values.size <= MOST_CELLS:
        return grid_svg(values, rows, columns, center)
    if max(values.shape) <= MOST_SIDE:
        return matrix_svg(values, center=center)
    return ""


def grid_svg(
    values: Array, rows: Sequence[str], columns: Sequence[str], center: float
) -> str:
    """Return a cell for each number, coloured by how far it is above or below another.

    A cell's tool tip has its labels and the number; one that is not finite is empty.

    Parameters
    ----------
    values : ndarray, shape (rows, columns)
        The numbers.
    rows, columns : sequence of str
        Their labels.
    center : float
        The number of a cell without colour.
    """
    ends = finite_limits(values - center) if values.size else None
    most = max(map(abs, ends)) if ends is not None else 0.0
    left = _room(rows)
    # Labels of columns that are wider than a cell are turned.
    turned = max(map(len, columns), default=0) * _LETTER > _CELL
    top = _room(columns) if turned else _CELL
    parts = [
        _label(_short(name), left - _MARGIN, top + _CELL * (row + 0.7))
        for row, name in enumerate(rows)
    ]
    parts += [
        _label(
            _short(name),
            left + _CELL * (column + (0.65 if turned else 0.5)),
            top - _MARGIN,
            "start" if turned else "middle",
            turned,
        )
        for column, name in enumerate(columns)
    ]
    for row, column in np.ndindex(values.shape):
        number = float(values[row, column])
        tooltip = f"{rows[row]}, {columns[column]}: {format_number(number, _DECIMALS)}"
        parts.append(
            f'<rect x="{left + _CELL * column}" y="{top + _CELL * row}" '
            f'width="{_CELL}" height="{_CELL}" {_fill(number - center, most)}>'
            f"<title>{_text(tooltip)}</title></rect>"
        )
    width, height = left + _CELL * len(columns), top + _CELL * len(rows)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width + 1}" '
        f'height="{height + 1}" font-size="11" font-family="sans-serif" '
        f'fill="currentColor">{"".join(parts)}</svg>'
    )


def _room(names: Sequence[str]) -> int:
    longest = max((len(_short(name)) for name in names), default=0)
    return longest * _LETTER + 2 * _MARGIN


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


def _label(
    text: str, x: float, y: float, anchor: str = "end", turned: bool = False
) -> str:
    turn = f' transform="rotate(-90 {x:g} {y:g})"' if turned else ""
    return (
        f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}"{turn}>{_text(text)}</text>'
    )


def _text(text: str) -> str:
    """Return a text for XML, which has no sign for some control characters."""
    return escape(_NO_XML.sub("\N{REPLACEMENT CHARACTER}", text))


def _fill(offset: float, most: float) -> str:
    edge = 'stroke="currentColor" stroke-opacity="0.2"'
    if not most or not np.isfinite(offset):
        return f'fill="none" pointer-events="all" {edge}'
    colour, share = LOW if offset < 0 else HIGH, abs(offset) / most
    return f'fill="rgb({colour})" fill-opacity="{share:.2f}" {edge}'
