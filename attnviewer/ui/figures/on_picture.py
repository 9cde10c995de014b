"""The attention of a token over the picture whose patches the tokens are."""

from dataclasses import replace

import numpy as np

from attnviewer.ui.figures.color_bar import (
    bar_title,
    beside,
    shareable_bar,
    widest_beside,
)
from attnviewer.ui.figures.elements import Block, Cells, Element, Stroke, Text, frame
from attnviewer.ui.figures.matrix import Matrix, whole_matrix_of
from attnviewer.ui.figures.panel import Panel
from attnviewer.ui.figures.room import Room
from attnviewer.ui.figures.style import SMALLER, TALLEST
from attnviewer.ui.paint.grid_image import fitted_scale, grid_colors, on_grid

_GAP, _PAD, _QUERY = 8.0, 2.0, 1.5
"""Between the parts, around the names of special tokens, and width of the query's
frame."""
_WIDEST = 240.0
"""The widest picture."""


def on_picture(panel: Panel, room: Room) -> Block:
    """Lay out the row of a query on the grid of the keys.

    The query is that of the panel's cell, or else the first token. Several heads may be
    combined.

    Raises
    ------
    ValueError
        If the tokens lie on no grid, or the step is not one of queries and keys.
    """
    grid = panel.computation.labels.grid
    axes = panel.trace.stages[panel.step].axes
    if grid is None or axes != ("queries", "keys"):
        raise ValueError(
            "A figure on the picture must be of a step of queries and keys, whose "
            "tokens lie on a grid. Got "
            f"{'no grid' if grid is None else f'the step {panel.step}'} instead."
        )
    matrix = whole_matrix_of(panel, room.theme)
    query = 0 if panel.cell is None else panel.cell[0]
    row = slice(query, query + 1)
    hidden = None if matrix.hidden is None else matrix.hidden[row]
    matrix = replace(matrix, values=matrix.values[row], hidden=hidden)
    values = on_grid(matrix.values[0], grid)  # (rows, columns)
    masked = None if hidden is None else on_grid(hidden[0], grid)
    if panel.scale is None:
        scale = fitted_scale(matrix.scale, values, masked)
        matrix = replace(matrix, scale=scale)
    colors = grid_colors(values, masked, matrix.scale, room.theme, image=grid.image)
    bar = bar_title(matrix)
    free = room.width
    if room.bar:
        free -= _GAP + widest_beside(matrix, room.face, bar)
    shape = grid.rows / grid.columns
    if grid.image is not None:
        shape = grid.image.shape[0] / grid.image.shape[1]
    top = _special_height(room) + _GAP if grid.n_special else 0.0
    width = min(free, _WIDEST, (TALLEST - top) / shape)
    height = width * shape
    elements: list[Element] = [
        Cells(0.0, top, width, height, colors),
        frame(0.0, top, width, height),
        *_special(matrix, query, grid.n_special, room),
    ]
    place = grid.place(query)
    if place is not None:
        across, down = width / grid.columns, height / grid.rows
        corner = place[1] * across, top + place[0] * down
        elements.append(_framed(*corner, across, down, room))
    right, bottom = width, top + height
    if room.bar:
        upright = beside(matrix, height, room.face, bar)
        elements += upright.at(width + _GAP, top)
        right, bottom = width + _GAP + upright.width, max(bottom, top + upright.height)
    block = Block(
        tuple(elements),
        room.width,
        bottom,
        bar=shareable_bar(matrix),
        cell=width / grid.columns,
        smallest=SMALLER if grid.n_special else np.inf,
    )
    return replace(block, elements=block.at(max(0.0, (room.width - right) / 2), 0.0))


def _special_height(room: Room) -> float:
    return room.face.rise("[", SMALLER) + room.face.drop("[", SMALLER) + 2 * _PAD


def _special(matrix: Matrix, query: int, count: int, room: Room) -> list[Element]:
    """Return the special tokens, each a cell with its name beside it."""
    side, face = _special_height(room), room.face
    colors = matrix.colors(room.theme)[0]  # (n_keys, 3)
    elements: list[Element] = []
    left = 0.0
    for token in range(count):
        name = matrix.labels[1][token]
        elements.append(
            Cells(left, 0.0, side, side, colors[np.newaxis, token : token + 1])
        )
        elements.append(frame(left, 0.0, side, side))
        if token == query:
            elements.append(_framed(left, 0.0, side, side, room))
        base = _PAD + face.rise("[", SMALLER)
        elements.append(Text(left + side + _PAD, base, name, SMALLER))
        left += side + 2 * _PAD + face.width(name, SMALLER) + _GAP
    return elements


def _framed(x: float, y: float, width: float, height: float, room: Room) -> Stroke:
    return frame(x, y, width, height, _QUERY, room.theme.accent)
