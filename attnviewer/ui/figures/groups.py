"""The groups of tokens along a matrix: brackets, names and boundaries."""

from collections.abc import Iterator, Sequence

from attnviewer.ui.figures.elements import Element, Stroke, Text
from attnviewer.ui.figures.labels import TICK_LENGTH
from attnviewer.ui.figures.matrix import Matrix
from attnviewer.ui.figures.style import SMALLER
from attnviewer.ui.figures.typeface import Typeface
from attnviewer.ui.state.folds import Bracket
from attnviewer.ui.text.tokens import token_line

BRACKET, BOUNDARY = 0.8, 0.6
"""Widths of the line along a group's labels, and of that between groups."""
_INSET = 0.4
"""From the ends of a bracket to those of its cells."""
_LINE, _GAP = 1.35, 3.0
"""Height of a line of names, as a share of their size, and its distance from labels."""
_SHORTEST = 5
"""The fewest signs that a name is cut to, its ellipsis included."""
_SMALLEST = 4.0
"""The smallest cells that lines between groups leave enough of."""


def open_groups(matrix: Matrix, side: int) -> tuple[Bracket, ...]:
    """Return the groups of the rows (0) or columns (1) whose tokens are shown."""
    return tuple(bracket for bracket in matrix.brackets[side] if not bracket.folded)


def band(matrix: Matrix, side: int) -> float:
    """Return the room that names of groups need beside labels; 0 without any."""
    return SMALLER * _LINE + _GAP if open_groups(matrix, side) else 0.0


def brackets(
    matrix: Matrix,
    place: tuple[float, float],
    cell: tuple[float, float],
    *,
    below: bool = False,
    sides: Sequence[int] = (0, 1),
) -> Iterator[Element]:
    """Yield a line along the ticks of each group, unless cells are too small.

    Parameters
    ----------
    matrix : Matrix
        The matrix.
    place : tuple of two float
        The upper left corner of the cells.
    cell : tuple of two float
        Width and height of a cell.
    below : bool
        Whether the columns have their labels below the cells.
    sides : sequence of int
        Rows (0), columns (1) or both.
    """
    if min(cell) < _SMALLEST:
        return
    x, y = place
    across = y + matrix.shape[0] * cell[1] + TICK_LENGTH if below else y - TICK_LENGTH
    for side in sides:
        for start, stop in _ends(
            matrix.brackets[side], place[1 - side], cell[1 - side]
        ):
            if side == 0:
                points = ((x - TICK_LENGTH, start), (x - TICK_LENGTH, stop))
            else:
                points = ((start, across), (stop, across))
            yield Stroke(points, BRACKET)


def boundaries(
    matrix: Matrix, place: tuple[float, float], cell: tuple[float, float], color: str
) -> Iterator[Element]:
    """Yield lines across the cells, where a group of shown tokens begins and ends.

    None across cells that are too small.
    """
    if min(cell) < _SMALLEST:
        return
    (x, y), (rows, columns) = place, matrix.shape
    right, bottom = x + columns * cell[0], y + rows * cell[1]
    for at in _edges(open_groups(matrix, 0), rows):
        level = y + at * cell[1]
        yield Stroke(((x, level), (right, level)), BOUNDARY, color)
    for at in _edges(open_groups(matrix, 1), columns):
        upright = x + at * cell[0]
        yield Stroke(((upright, y), (upright, bottom)), BOUNDARY, color)


def names(
    matrix: Matrix,
    place: tuple[float, float],
    cell: tuple[float, float],
    away: tuple[float, float],
    face: Typeface,
) -> Iterator[Element]:
    """Yield the names of groups whose tokens are shown, beyond the labels.

    Parameters
    ----------
    matrix : Matrix
        The matrix.
    place : tuple of two float
        The upper left corner of the cells.
    cell : tuple of two float
        Width and height of a cell.
    away : tuple of two float
        How far labels reach to the left of the cells, and above them.
    face : Typeface
        The font.
    """
    drop = face.drop("y", SMALLER) + 1.0
    lines = place[0] - away[0] - _GAP - drop, place[1] - away[1] - _GAP - drop
    for side in (0, 1):
        groups = open_groups(matrix, side)
        ends = _ends(groups, place[1 - side], cell[1 - side])
        for bracket, (start, stop) in zip(groups, ends, strict=True):
            whole = token_line(bracket.group.name)
            name = face.elided(whole, SMALLER, stop - start)
            rule = lines[side] + drop - 0.5
            if side == 0:
                yield Stroke(((rule, start), (rule, stop)))
            else:
                yield Stroke(((start, rule), (stop, rule)))
            if name != whole and len(name) < _SHORTEST:
                continue
            middle = (start + stop) / 2
            if side == 0:
                yield Text(lines[0], middle, name, SMALLER, "middle", -90.0)
            else:
                yield Text(middle, lines[1], name, SMALLER, "middle")


def _ends(
    groups: Sequence[Bracket], start: float, cell: float
) -> Iterator[tuple[float, float]]:
    """Yield where brackets begin and end."""
    for bracket in groups:
        first, last = start + bracket.first * cell, start + (bracket.last + 1) * cell
        inset = min(_INSET, (last - first) / 4)
        yield first + inset, last - inset


def _edges(groups: Sequence[Bracket], count: int) -> list[int]:
    """Return the rows or columns before which a line is drawn."""
    ends = {end for b in groups for end in (b.first, b.last + 1)}
    return sorted(ends - {0, count})
