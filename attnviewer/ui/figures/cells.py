"""The cells of a matrix, with their numbers and marks."""

from collections.abc import Iterator

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPolygonF

from attnviewer.ui.figures.elements import Cells, Element, Stroke, Text, frame
from attnviewer.ui.figures.groups import boundaries
from attnviewer.ui.figures.matrix import Matrix
from attnviewer.ui.figures.numbers import MatrixNumbers
from attnviewer.ui.figures.style import LABEL, SMALLEST
from attnviewer.ui.figures.typeface import Typeface
from attnviewer.ui.paint.colors import wants_light_ink
from attnviewer.ui.paint.pin_mark import has_room, inks_on, mark_of
from attnviewer.ui.paint.theme import Theme

MARGIN = 1.5
"""Least distance between a number and the edges of its cell."""
MOST_NUMBERED = 12
"""With more rows or columns there are no numbers: nobody would read them."""
SELECTION = 1.5
"""Width of the frame of the selected cell."""
_DARK_INK, _LIGHT_INK = "#000000", "#ffffff"


def draw_cells(
    matrix: Matrix,
    place: tuple[float, float],
    cell: tuple[float, float],
    face: Typeface,
    theme: Theme,
    size: float | None = None,
) -> Iterator[Element]:
    """Yield the cells of a matrix, their numbers if they fit, and their frame.

    Parameters
    ----------
    matrix : Matrix
        The matrix.
    place : tuple of two float
        The upper left corner of the cells.
    cell : tuple of two float
        Width and height of a cell.
    face : Typeface
        The font of the numbers.
    theme : Theme
        The figure's colours.
    size : float, optional
        Size of the numbers, 0 for none; by default what fits.
    """
    (x, y), (rows, columns) = place, matrix.shape
    width, height = columns * cell[0], rows * cell[1]
    colors = matrix.colors(theme)
    yield Cells(x, y, width, height, colors)
    if not matrix.is_pooled:
        light = wants_light_ink(colors)  # (rows, columns)
        size = number_size(matrix, cell, face) if size is None else size
        texts = number_texts(matrix) if size else {}
        middle = face.rise("0", size) / 2
        for (row, column), text in texts.items():
            center = x + (column + 0.5) * cell[0]
            base = y + (row + 0.5) * cell[1] + middle
            ink = _LIGHT_INK if light[row, column] else _DARK_INK
            yield Text(center, base, text, size, "middle", color=ink)
        undefined = ~np.isfinite(matrix.values)
        if matrix.hidden is not None:
            undefined &= ~matrix.hidden
        for row, column in np.argwhere(undefined).tolist():
            if (row, column) not in texts:
                corner = x + column * cell[0], y + row * cell[1]
                yield from _cross(corner, cell, theme.window)
    if matrix.pinned is not None and has_room(*cell):
        inks = inks_on(colors[matrix.pinned])
        places = np.argwhere(matrix.pinned).tolist()
        for (row, column), color in zip(places, inks, strict=True):
            rect = QRectF(x + column * cell[0], y + row * cell[1], *cell)
            yield pin_mark(mark_of(rect), color.name())
    yield from boundaries(matrix, place, cell, theme.window)
    yield frame(x, y, width, height)
    if matrix.cell is not None:
        row, column = matrix.cell
        corner = x + column * cell[0], y + row * cell[1]
        yield frame(*corner, *cell, 2 * SELECTION, theme.window)
        yield frame(*corner, *cell, SELECTION)


def pin_mark(shape: QPolygonF, color: str = "") -> Stroke:
    """Return the mark of a pinned number, in the figure's ink by default."""
    corners = tuple((point.x(), point.y()) for point in shape.toList())
    return Stroke(corners, color=color, closed=True, filled=True)


def number_size(matrix: Matrix, cell: tuple[float, float], face: Typeface) -> float:
    """Return the size of the numbers in cells, which is one for all; 0 for none."""
    if max(matrix.shape) > MOST_NUMBERED or min(cell) < SMALLEST:
        return 0.0
    texts = {*number_texts(matrix).values()}
    widest = max((face.width(text, 1.0) for text in texts), default=1.0)
    size = min(
        LABEL,
        (cell[0] - 2 * MARGIN) / widest,
        (cell[1] - 2 * MARGIN) / face.rise("0", 1.0),
    )
    return size if size >= SMALLEST else 0.0


def number_texts(matrix: Matrix) -> dict[tuple[int, int], str]:
    """Return the numbers of the cells that no mask hides, all in one format."""
    numbers = number_format(matrix)
    return {
        (row, column): numbers.write(float(matrix.values[row, column]))
        for row, column in np.ndindex(matrix.values.shape)
        if matrix.hidden is None or not matrix.hidden[row, column]
    }


def number_format(matrix: Matrix) -> MatrixNumbers:
    """Return the format of a matrix's numbers: two decimals for weights."""
    return MatrixNumbers.of(matrix.seen, 2 if matrix.is_weights else None)


def _cross(
    corner: tuple[float, float], cell: tuple[float, float], color: str
) -> Iterator[Element]:
    """Yield a cross for a number that is NaN or infinite, and cannot be written."""
    left, top = corner[0] + cell[0] * 0.25, corner[1] + cell[1] * 0.25
    right, bottom = corner[0] + cell[0] * 0.75, corner[1] + cell[1] * 0.75
    width = min(*cell) * 0.12
    yield Stroke(((left, top), (right, bottom)), width, color)
    yield Stroke(((left, bottom), (right, top)), width, color)
