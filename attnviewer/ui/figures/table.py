"""A step as a table of numbers, ruled as in books."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

import numpy as np
from PySide6.QtCore import QPointF

from attnviewer.ui.figures.cells import pin_mark
from attnviewer.ui.figures.elements import Block, Element, Stroke, Text
from attnviewer.ui.figures.matrix import Matrix, whole_matrix_of
from attnviewer.ui.figures.numbers import MatrixNumbers
from attnviewer.ui.figures.panel import Panel
from attnviewer.ui.figures.room import Room
from attnviewer.ui.figures.style import LABEL, SMALLER, TALLEST, TITLE
from attnviewer.ui.paint.pin_mark import triangle

DECIMALS = 4
_RULE, _THIN = 0.8, 0.4
_GAP = 7.0
_LINE = 1.45
_MARK = 3.0
"""Side of the mark of a pinned number."""
_OMITTED = "⋯"
_BELOW = "⋮"


def table(panel: Panel, room: Room) -> Block:
    """Lay out one head of a step, or several combined, as numbers.

    Where it is too wide or too high, the middle is left out, and marked by dots.

    Raises
    ------
    ValueError
        If there are too many rows or columns.
    """
    matrix = whole_matrix_of(panel, room.theme)
    for size, decimals in (
        (LABEL, DECIMALS),
        (SMALLER, DECIMALS),
        (LABEL, 2),
        (SMALLER, 2),
    ):
        block = _drawn(matrix, room, size, decimals)
        if block.complete:
            return block
    return block


def _drawn(matrix: Matrix, room: Room, size: float, decimals: int) -> Block:
    face, n_rows = room.face, len(matrix.values)
    numbers = _format(matrix, decimals)
    # The names of rows and two columns fit, however long.
    longest = (room.width - 4 * _GAP) / 3
    row_labels, column_labels = (
        face.all_elided(side, size, longest) for side in matrix.labels
    )
    left = max(
        *(face.width(text, size) for text in row_labels),
        face.width(matrix.axes[0], size, italic=True),
    )
    number = max(
        face.width(numbers.write(-1.0), size),
        max(
            (face.width(numbers.write(float(x)), size) for x in _ends(matrix)),
            default=0.0,
        ),
    )
    widths = [_GAP + max(face.width(name, size), number) for name in column_labels]
    dots = _GAP + face.width(_OMITTED, size)
    columns = _kept(widths, dots, room.width - left)
    line = size * _LINE
    rows = _kept([line] * n_rows, line, TALLEST - 4 * line)
    reaches = accumulate(dots if k is None else widths[k] for k in columns)
    ends = [left + reach for reach in reaches]
    whole = ends[-1]
    x0 = max(0.0, (room.width - whole) / 2)
    ends = [x0 + end for end in ends]
    elements: list[Element] = []
    y = 0.0

    def rule(width: float) -> None:
        elements.append(Stroke(((x0, y), (x0 + whole, y)), width))

    rule(_RULE)
    y += line
    elements.append(Text(x0, y - 0.3 * size, matrix.axes[0], size, italic=True))
    for end, column in zip(ends, columns, strict=True):
        name = _OMITTED if column is None else column_labels[column]
        elements.append(Text(end, y - 0.3 * size, name, size, "end"))
    y += 1.5
    rule(_THIN)
    y += 1.0
    for row in rows:
        y += line
        base = y - 0.3 * size
        name = _BELOW if row is None else row_labels[row]
        elements.append(Text(x0, base, name, size))
        for end, column in zip(ends, columns, strict=True):
            text = _cell(matrix, numbers, row, column)
            chosen = matrix.cell is not None and (row, column) == matrix.cell
            elements.append(Text(end, base, text, size, "end", bold=chosen))
            if _is_pinned(matrix, row, column):
                start = end - face.width(text, size, bold=chosen) - _MARK - 1.0
                corner = QPointF(start, base - face.rise("0", size))
                elements.append(pin_mark(triangle(corner, _MARK)))
    y += 1.5
    rule(_RULE)
    if numbers.factor:
        y += line
        note = f"All numbers {numbers.factor}"
        elements.append(Text(x0, y, note, TITLE - 1, italic=True))
    complete = None not in rows and None not in columns
    block = Block(tuple(elements), room.width, y + _RULE, cell=line, smallest=size)
    return replace(block, complete=complete)


def _format(matrix: Matrix, decimals: int) -> MatrixNumbers:
    chosen = MatrixNumbers.of(matrix.seen)
    if matrix.is_weights or chosen.exponent or chosen.decimals == 2:
        return MatrixNumbers(decimals, chosen.exponent)
    return chosen


def _ends(matrix: Matrix) -> list[float]:
    seen = matrix.seen[np.isfinite(matrix.seen)]
    return [float(seen.min()), float(seen.max())] if seen.size else []


def _kept(extents: Sequence[float], dots: float, room: float) -> list[int | None]:
    """Return which rows or columns are shown; None where some are left out.

    These are as many of the first as of the last, and one of each at least.

    Parameters
    ----------
    extents : sequence of float
        What each of them needs.
    dots : float
        What the dots in place of those left out need.
    room : float
        What there is.
    """
    count = len(extents)
    if sum(extents) <= room or count <= 2:
        return list(range(count))
    first = last = 1
    used = extents[0] + dots + extents[-1]
    while first + last < count - 1:
        place = first if first <= last else count - 1 - last
        used += extents[place]
        if used > room:
            break
        if place == first:
            first += 1
        else:
            last += 1
    return [*range(first), None, *range(count - last, count)]


def _is_pinned(matrix: Matrix, row: int | None, column: int | None) -> bool:
    if matrix.pinned is None or row is None or column is None:
        return False
    return bool(matrix.pinned[row, column])


def _cell(
    matrix: Matrix, numbers: MatrixNumbers, row: int | None, column: int | None
) -> str:
    if row is None:
        return _BELOW
    if column is None:
        return _OMITTED
    if matrix.hidden is not None and matrix.hidden[row, column]:
        return "–"
    return numbers.write(float(matrix.values[row, column]))
