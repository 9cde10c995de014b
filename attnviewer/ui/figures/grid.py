"""Several matrices of one shape in a grid: shared axes, large cells, one bar."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from attnviewer.ui.figures.cells import draw_cells, number_size
from attnviewer.ui.figures.color_bar import bar_title, beneath, shareable_bar
from attnviewer.ui.figures.elements import Block, Element, Text
from attnviewer.ui.figures.heatmap import LARGEST
from attnviewer.ui.figures.labels import LabelPlan, LabelSpace
from attnviewer.ui.figures.matrix import Matrix
from attnviewer.ui.figures.room import Room
from attnviewer.ui.figures.style import LABEL, SMALLER, SMALLEST, TALLEST, TITLE

_PLANS = (
    LabelPlan(LABEL, 0),
    LabelPlan(SMALLER, 0),
    LabelPlan(SMALLER, 90),
    LabelPlan(SMALLEST, 90),
)
_ASPECT = 0.8
"""The height that grids of heads may have, as a share of their width."""
_LEAST = 40.0
"""The least height of all cells of a column of panels."""
_GAP = 5.0
_BESIDE = 3.0
"""Room for labels that reach beyond the last column."""
_LINE = 1.25
_AXIS = TITLE * _LINE + 1.0
"""What the title of an axis needs."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A colour bar beneath a grid.

    Parameters
    ----------
    matrix : Matrix
        The matrix whose scale and title it has.
    columns : tuple of two int
        The first of the grid's columns that it stands for, and the one after the last.
    """

    matrix: Matrix
    columns: tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class _Grid:
    """A grid of panels with square cells, not yet drawn."""

    n_columns: int
    n_rows: int
    space: LabelSpace
    cell: float
    left: float

    @property
    def filled(self) -> int:
        return self.n_columns * self.n_rows


def grid_block(
    matrices: Sequence[Matrix],
    room: Room,
    bars: Sequence[Bar],
    *,
    n_columns: int | None = None,
) -> Block:
    """Lay out matrices of one shape in a grid.

    Parameters
    ----------
    matrices : sequence of Matrix
        The matrices, row by row.
    room : Room
        What they are laid out for.
    bars : sequence of Bar
        Their colour bars.
    n_columns : int, optional
        Columns of the grid; by default those that give the largest cells.
    """
    below = _below(bars, room)
    counts = range(1, len(matrices) + 1) if n_columns is None else [n_columns]
    for plan in _PLANS:
        space = LabelSpace.of(room.face, matrices[0].labels, plan, room.width)
        grids = [_fitted(matrices, space, n, room, below) for n in counts]
        fitting = [g for g in grids if g.cell > 0 and space.fits((g.cell, g.cell))]
        if fitting and (grid := _best(fitting, len(matrices))) is _best(
            grids, len(matrices)
        ):
            thinned = grid.space.thinned((grid.cell, grid.cell))
            return _drawn(matrices, bars, replace(grid, space=thinned), room)
    space = LabelSpace.of(
        room.face, matrices[0].labels, LabelPlan(SMALLER, 90), room.width
    )
    grids = [_fitted(matrices, space, n, room, below) for n in counts]
    grid = _best(grids, len(matrices))
    spread = space.spread((grid.cell, grid.cell))
    block = _drawn(matrices, bars, replace(grid, space=spread), room)
    return replace(block, complete=False)


def _below(bars: Sequence[Bar], room: Room) -> float:
    """Return the height of the bars."""
    return max(_bar(bar, room).height for bar in bars) if room.bar else 0.0


def _bar(bar: Bar, room: Room, width: float = 0.0) -> Block:
    return beneath(bar.matrix, width, room.face, bar_title(bar.matrix))


def _head(matrices: Sequence[Matrix]) -> float:
    """Return the height of the panels' titles."""
    return TITLE * _LINE if any(matrix.title for matrix in matrices) else 0.0


def _fitted(
    matrices: Sequence[Matrix],
    space: LabelSpace,
    n_columns: int,
    room: Room,
    below: float,
) -> _Grid:
    rows, columns = matrices[0].shape
    n_rows = math.ceil(len(matrices) / n_columns)
    left = space.left + _AXIS
    across = (
        (room.width - left - (n_columns - 1) * _GAP - _BESIDE) / n_columns / columns
    )
    fixed = n_rows * (_head(matrices) + _GAP) + space.above + _AXIS + below + _GAP
    tallest = TALLEST
    if len(matrices) > n_columns:
        tallest = max(_ASPECT * room.width, fixed + _LEAST)
    down = (tallest - fixed) / n_rows / rows
    return _Grid(n_columns, n_rows, space, min(across, down, LARGEST), left)


def _best(grids: Sequence[_Grid], count: int) -> _Grid:
    """Return the grid with the largest cells; empty places count against it."""
    return max(grids, key=lambda grid: grid.cell * count / grid.filled)


def _drawn(
    matrices: Sequence[Matrix], bars: Sequence[Bar], grid: _Grid, room: Room
) -> Block:
    face, cell, space = room.face, grid.cell, grid.space
    rows, columns = matrices[0].shape
    width, height, head = columns * cell, rows * cell, _head(matrices)
    elements: list[Element] = []
    shown = min(grid.n_columns, len(matrices))
    whole = shown * width + (shown - 1) * _GAP
    size = min(number_size(matrix, (cell, cell), face) for matrix in matrices)
    for place, matrix in enumerate(matrices):
        down, across = divmod(place, grid.n_columns)
        x = grid.left + across * (width + _GAP)
        y = head + down * (height + head + _GAP)
        if matrix.title:
            title = _title(matrix.title, width + _GAP - 1.0, room)
            elements.append(Text(x + width / 2, y - 2.5, title, TITLE, "middle"))
        elements += draw_cells(matrix, (x, y), (cell, cell), face, room.theme, size)
        if across == 0:
            elements += space.row_labels(x, y, cell)
        if place + grid.n_columns >= len(matrices):
            elements += space.column_labels(x, y + height, cell, below=True)
    bottom = grid.n_rows * (height + head + _GAP) - _GAP
    axes = matrices[0].axes
    middle = head + (bottom - head) / 2
    elements.append(
        Text(face.rise("Q", TITLE), middle, axes[0], TITLE, "middle", -90.0)
    )
    bottom += space.above + face.rise("K", TITLE) + 2.0
    center = grid.left + whole / 2
    elements.append(Text(center, bottom, axes[1], TITLE, "middle"))
    bottom += face.drop("y", TITLE) + _GAP
    if room.bar:
        elements += _bars(bars, grid, width, bottom, room)
        bottom += _below(bars, room)
    shift = max(0.0, (room.width - grid.left - whole) / 2)
    shared = shareable_bar(bars[0].matrix) if len(bars) == 1 else None
    block = Block(tuple(elements), room.width, bottom, bar=shared)
    return replace(block, elements=block.at(shift, 0.0))


def _bars(
    bars: Sequence[Bar], grid: _Grid, width: float, y: float, room: Room
) -> Iterator[Element]:
    for bar in bars:
        start, stop = bar.columns[0], min(bar.columns[1], grid.n_columns)
        span = (stop - start) * (width + _GAP) - _GAP
        block = _bar(bar, room, span)
        x = grid.left + start * (width + _GAP) + (span - block.width) / 2
        yield from block.at(x, y)


def _title(title: str, wide: float, room: Room) -> str:
    """Return a panel's title, its number alone if it does not fit."""
    if room.face.width(title, TITLE) <= wide:
        return title
    return title.rpartition(" ")[2]
