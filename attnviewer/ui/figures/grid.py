"""Several matrices of one shape in a grid: shared axes, large cells, one bar."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from attnviewer.ui.figures.cells import draw_cells, number_size
from attnviewer.ui.figures.color_bar import END, bar_title, beneath, shareable_bar
from attnviewer.ui.figures.elements import HAIRLINE, Block, Element, Text
from attnviewer.ui.figures.groups import brackets
from attnviewer.ui.figures.heatmap import LARGEST
from attnviewer.ui.figures.labels import TICK_LENGTH, LabelPlan, LabelSpace
from attnviewer.ui.figures.matrix import Matrix
from attnviewer.ui.figures.room import Room
from attnviewer.ui.figures.style import (
    ASPECT,
    LABEL,
    SMALLER,
    SMALLEST,
    TALLEST,
    TITLE,
)
from attnviewer.ui.figures.typeface import Typeface

_PLANS = (
    LabelPlan(LABEL, 0),
    LabelPlan(SMALLER, 0),
    LabelPlan(SMALLER, 90),
    LabelPlan(SMALLEST, 90),
)
_LEAST = 40.0
"""The least height of all cells of a column of panels."""
_GAP, _NARROW = 5.0, 3.0
"""Distance of panels, and where they have ticks alone."""
_BESIDE = 3.0
"""Room for labels that reach beyond the last column."""
_LINE = 1.25
_BELOW_LABELS = 3.0
"""Room between the labels of columns and the title of their axis."""
_AXIS = TITLE * _LINE + 1.0
"""The room for the title of an axis."""


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
    gap: float
    lead: float
    """The distance of panels below each other."""

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
        if not room.named and plan.size < SMALLER:
            break
        space = LabelSpace.of(room.face, matrices[0].labels, plan, room.whole)
        grids = [_fitted(matrices, space, n, room, below) for n in counts]
        fitting = [g for g in grids if g.cell > 0 and space.fits((g.cell, g.cell))]
        if fitting and (grid := _best(fitting, len(matrices))) is _best(
            grids, len(matrices)
        ):
            thinned = grid.space.thinned((grid.cell, grid.cell))
            return _drawn(matrices, bars, replace(grid, space=thinned), room)
    return _with_few_labels(matrices, room, bars, counts)


def _with_few_labels(
    matrices: Sequence[Matrix], room: Room, bars: Sequence[Bar], counts: Sequence[int]
) -> Block:
    """Lay out cells that are too small for all labels.

    They have ticks at the marked rows and columns, or labels at even distances if none
    is marked. The ticks are enough where another panel has all labels.
    """
    labels, below = matrices[0].labels, _below(bars, room)
    space = LabelSpace.of(room.face, labels, LabelPlan(SMALLER, 90), room.whole)
    named = room.named
    if not named:
        space = space.marked(room.marks, math.inf, named=False)
    grids = []
    for n_columns in counts:
        cell = _fitted(matrices, space, n_columns, room, below).cell
        if named and not any(room.marks):
            few = space.spread((cell, cell))
        else:
            few = space.marked(room.marks, cell, named=named)
        # Labels that are left out need no room: cells get larger.
        grids.append(_fitted(matrices, few, n_columns, room, below))
    grid = _best(grids, len(matrices))
    space = grid.space
    block = _drawn(matrices, bars, grid, room)
    if named or space.ticks is None:
        return replace(block, complete=False)
    ticks = dict.fromkeys(
        side[place]
        for side, places in zip(labels, space.ticks, strict=True)
        for place in places
    )
    return replace(block, ticks=tuple(ticks))


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
    left, gap, lead, beside = space.left + _AXIS, _GAP, _GAP, _BESIDE
    if space.numbered[1]:
        # The last number of a panel must not be read together with the next one's 0.
        gap = 2 * space.beside_corner + _BESIDE
    if not any((*space.rows, *space.columns)):
        axis, face = matrices[0].axes[0], room.face
        left = face.rise(axis, TITLE) + face.drop(axis, TITLE) + 1.0 + TICK_LENGTH
        gap = lead = _NARROW
        beside = HAIRLINE
    across = (room.width - left - (n_columns - 1) * gap - beside) / n_columns / columns
    fixed = n_rows * (_head(matrices) + lead) + space.above + _AXIS + below + _GAP
    tallest = TALLEST
    if len(matrices) > n_columns:
        # Beside other panels they are as flat as these.
        highest = room.whole if room.width == room.whole else ASPECT * room.whole
        tallest = max(highest, fixed + _LEAST)
    down = (tallest - fixed) / n_rows / rows
    cell = min(across, down, LARGEST)
    return _Grid(n_columns, n_rows, space, cell, left, gap, lead)


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
    gap, lead = grid.gap, grid.lead
    whole = shown * width + (shown - 1) * gap
    names = _titles([matrix.title for matrix in matrices], width + gap - 1.0, face)
    size = min(number_size(matrix, (cell, cell), face) for matrix in matrices)
    for place, matrix in enumerate(matrices):
        down, across = divmod(place, grid.n_columns)
        x = grid.left + across * (width + gap)
        y = head + down * (height + head + lead)
        if matrix.title:
            title, title_size = names[place]
            elements.append(Text(x + width / 2, y - 2.5, title, title_size, "middle"))
        elements += draw_cells(matrix, (x, y), (cell, cell), face, room.theme, size)
        if across == 0:
            elements += space.row_labels(x, y, cell)
            elements += brackets(matrix, (x, y), (cell, cell), sides=(0,))
        if place + grid.n_columns >= len(matrices):
            elements += space.column_labels(x, y + height, cell, below=True)
            corner, square = (x, y), (cell, cell)
            elements += brackets(matrix, corner, square, below=True, sides=(1,))
    bottom = grid.n_rows * (height + head + lead) - lead
    axes = matrices[0].axes
    middle = head + (bottom - head) / 2
    elements.append(
        Text(face.rise("Q", TITLE), middle, axes[0], TITLE, "middle", -90.0)
    )
    bottom += space.above + face.rise("K", TITLE) + _BELOW_LABELS
    center = grid.left + whole / 2
    elements.append(Text(center, bottom, axes[1], TITLE, "middle"))
    bottom += face.drop("y", TITLE) + _GAP
    if room.bar:
        elements += _bars(bars, grid, width, bottom, room)
        bottom += _below(bars, room)
    shift = max(0.0, (room.width - grid.left - whole) / 2)
    shared = shareable_bar(bars[0].matrix) if len(bars) == 1 else None
    block = Block(
        tuple(elements),
        room.width,
        bottom,
        bar=shared,
        cell=cell,
        smallest=space.plan.size,
    )
    return replace(block, elements=block.at(shift, 0.0))


def _bars(
    bars: Sequence[Bar], grid: _Grid, width: float, y: float, room: Room
) -> Iterator[Element]:
    for bar in bars:
        start, stop = bar.columns[0], min(bar.columns[1], grid.n_columns)
        span = (stop - start) * (width + grid.gap) - grid.gap
        middle = grid.left + start * (width + grid.gap) + span / 2
        # Its numbers reach beyond its ends, and must not beyond the room.
        block = _bar(bar, room, min(span, 2 * (room.width - middle) - END))
        x = middle - block.width / 2
        yield from block.at(x, y)


def _titles(
    titles: Sequence[str], wide: float, face: Typeface
) -> list[tuple[str, float]]:
    """Return the panels' titles and their size, numbers alone if they do not fit."""
    for size in (TITLE, SMALLER):
        if all(face.width(title, size) <= wide for title in titles):
            return [(title, size) for title in titles]
    return [(title.rpartition(" ")[2], TITLE) for title in titles]
