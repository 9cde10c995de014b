"""One matrix: square cells, every label, and a titled colour bar."""

from dataclasses import replace

from attnviewer.ui.figures.cells import draw_cells
from attnviewer.ui.figures.color_bar import (
    END,
    bar_title,
    beneath,
    beside,
    shareable_bar,
    widest_beside,
)
from attnviewer.ui.figures.elements import Block, Element, Text
from attnviewer.ui.figures.groups import band, brackets
from attnviewer.ui.figures.groups import names as group_names
from attnviewer.ui.figures.labels import (
    APART,
    GAP,
    PLANS,
    TICK_LENGTH,
    LabelPlan,
    LabelSpace,
    is_numbered,
)
from attnviewer.ui.figures.matrix import MOST, Matrix, matrix_of, readable
from attnviewer.ui.figures.panel import Panel
from attnviewer.ui.figures.room import Room
from attnviewer.ui.figures.style import SMALLER, TALLEST, TITLE

LARGEST = 30.0
"""The largest cell."""
THINNEST = 2.0
"""Cells of features that would be thinner need not be square."""
_BAR_GAP = 8.0
_LINE = 1.25


def heatmap(panel: Panel, room: Room) -> Block:
    """Lay out one head of a step, or several combined."""
    matrix = matrix_of(panel, room.theme)
    if panel.scale is None:
        matrix = replace(matrix, scale=readable([matrix]))
    return matrix_block(matrix, room)


def matrix_block(matrix: Matrix, room: Room) -> Block:
    """Lay out a matrix with labels, axes and a colour bar.

    The bar is on the right if cells do not get smaller by that, and below otherwise.
    """
    for plan in () if _is_crowded(matrix) else PLANS:
        space = LabelSpace.of(room.face, matrix.labels, plan, room.whole)
        cells = [_cell(matrix, space, room, upright=up) for up in (True, False)]
        height = matrix.shape[0] * cells[0][1]
        tall = height >= room.face.width(bar_title(matrix), TITLE)
        upright = tall and cells[0][0] >= cells[1][0]
        cell = cells[0] if upright else cells[1]
        if cell[0] > 0 and space.fits(cell):
            return _drawn(matrix, space.thinned(cell), cell, room, upright=upright)
    plan = LabelPlan(SMALLER, 90)
    space = LabelSpace.of(room.face, matrix.labels, plan, room.whole)
    cell = _cell(matrix, space, room, upright=False)
    spread = space.spread(cell)
    block = _drawn(matrix, spread, cell, room, upright=False)
    return replace(block, complete=False)


def _is_crowded(matrix: Matrix) -> bool:
    """Return whether there is no room for every label, however small."""
    axes = zip(matrix.shape, matrix.labels, strict=True)
    return any(count > MOST and not is_numbered(labels) for count, labels in axes)


def left_margin(space: LabelSpace, axis: str, room: Room) -> float:
    """Return the width left of the cells, for labels and the axis above them."""
    return max(space.left, room.face.width(axis, TITLE) + space.beside_corner)


def _cell(
    matrix: Matrix, space: LabelSpace, room: Room, *, upright: bool
) -> tuple[float, float]:
    """Return the width and height of the largest cell that there is room for."""
    rows, columns = matrix.shape
    left = left_margin(space, matrix.axes[0], room) + band(matrix, 0)
    title = bar_title(matrix)
    beside_cells, below_cells = 1.0, TITLE * _LINE + 2.0 + band(matrix, 1)
    if room.bar and upright:
        beside_cells = _BAR_GAP + widest_beside(matrix, room.face, title)
    elif room.bar:
        below_cells += _BAR_GAP + beneath(matrix, 0.0, room.face, title).height
    across = room.width - left
    widest = min(
        (across - beside_cells) / columns,
        space.widest_cell(across + room.beyond),
        LARGEST,
    )
    highest = (TALLEST - space.above - below_cells) / rows
    cell = min(widest, highest)
    if matrix.of_features and cell < THINNEST:
        return widest, min(highest, max(cell, space.line + 1.0))
    return cell, cell


def _drawn(
    matrix: Matrix,
    space: LabelSpace,
    cell: tuple[float, float],
    room: Room,
    *,
    upright: bool,
) -> Block:
    face, (rows, columns) = room.face, matrix.shape
    left = left_margin(space, matrix.axes[0], room) + band(matrix, 0)
    top = space.above + band(matrix, 1)
    width, height = columns * cell[0], rows * cell[1]
    bottom = top + height
    elements: list[Element] = list(
        draw_cells(matrix, (left, top), cell, face, room.theme)
    )
    elements += space.row_labels(left, top, cell[1])
    elements += space.column_labels(left, top, cell[0])
    elements += brackets(matrix, (left, top), cell)
    away = space.left, space.above
    elements += group_names(matrix, (left, top), cell, away, face)
    # On the line of level labels.
    base = TICK_LENGTH + GAP
    if space.plan.angle == 0:
        base += face.drop(space.columns, space.plan.size)
    axis, above = matrix.axes[0], space.above_corner(cell[1])
    base = max(base, above + face.drop(axis, TITLE) + APART)
    corner = left - space.beside_corner
    elements.append(Text(corner, top - base, axis, TITLE, "end"))
    bottom += 3.0 + face.rise("K", TITLE)
    elements.append(Text(left + width / 2, bottom, matrix.axes[1], TITLE, "middle"))
    bottom += face.drop("y", TITLE)
    title = bar_title(matrix)
    right = left + width
    reach = right + space.overhang(cell[0])
    if room.bar and upright:
        bar = beside(matrix, height, face, title)
        elements += bar.at(right + _BAR_GAP, top)
        right += _BAR_GAP + bar.width
        bottom = max(bottom, top + bar.height)
    elif room.bar:
        # Its numbers reach beyond its ends, and must not beyond the room.
        most = 2 * (room.width - left - width / 2) - END
        bar = beneath(matrix, min(width, most), face, title)
        elements += bar.at(left + (width - bar.width) / 2, bottom + _BAR_GAP)
        right = max(right, left + (width + bar.width) / 2)
        bottom += _BAR_GAP + bar.height
    shift = max(0.0, (room.width - max(right, reach - room.beyond)) / 2)
    moved = Block(
        tuple(elements),
        room.width,
        bottom,
        bar=shareable_bar(matrix),
        cell=cell[0],
        smallest=space.plan.size,
        rows=(top, cell[1]),
    )
    return replace(moved, elements=moved.at(shift, 0.0))
