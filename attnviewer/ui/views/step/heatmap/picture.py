"""Colours a window of cells, pooled where there are more cells than pixels."""

import math
from dataclasses import dataclass

from attnviewer.compute import BoolArray, InMemory, Overview, Pooled, Pooling
from attnviewer.ui.paint.color_scale import Rgb
from attnviewer.ui.paint.colors import cell_pixels
from attnviewer.ui.paint.paper import MOST_SHAPES, for_paper
from attnviewer.ui.paint.step_content import StepContent
from attnviewer.ui.paint.theme import Theme

Span = tuple[int, int]
"""First cell, and the one after the last."""

MOST_CELLS = 2**26
"""Windows of more cells are those of the overview, in which each block is several
pixels: reading them takes seconds."""
OVERSIZE = 256
"""Matrices of more rows and columns have a minimap and profiles."""
PATTERNED_FROM = 6
"""Cells this large, in pixels, have room for a pattern."""


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """Colours, and the cells they cover.

    Parameters
    ----------
    colors : ndarray of uint8, shape (height, width, 4)
        One colour per block of cells, opaque.
    rows, columns : tuple of two int
        The cells; the last block may extend past the end of the matrix.
    block : tuple of two int
        Rows and columns of the cells that share a colour.
    """

    colors: Rgb
    rows: Span
    columns: Span
    block: tuple[int, int]


def paint_window(
    content: StepContent,
    rows: Span,
    columns: Span,
    cell: tuple[float, float],
    theme: Theme,
) -> Picture:
    """Colour a window of cells, with no more colours than there are pixels.

    Cells that share a pixel get the colour of the number furthest from zero, so that
    a single outlier stays visible, or of their mean if the look asks for it. They
    count as masked only if all of them are.

    Parameters
    ----------
    content : StepContent
        The step.
    rows, columns : tuple of two int
        The window.
    cell : tuple of two float
        Height and width of a cell in pixels.
    theme : Theme
        The current theme.
    """
    pooled = _pool(content, rows, columns, cell)
    shown = None
    if max(pooled.block) == 1:
        shown = content.shown(slice(*pooled.rows), slice(*pooled.columns))
    return paint_pooled(content, pooled, shown, cell, theme)


def paint_pooled(
    content: StepContent,
    pooled: Pooled,
    shown: BoolArray | None,
    cell: tuple[float, float],
    theme: Theme,
) -> Picture:
    """Colour a window that has been read.

    Parameters
    ----------
    content : StepContent
        The step.
    pooled : Pooled
        Its numbers, one per block of cells.
    shown : ndarray of bool, or None
        The cells that the filter does not dim, where each is a block; None for all.
    cell, theme
        As in `paint_window`.
    """
    values, hidden, (height, width) = pooled.values, pooled.hidden, pooled.block
    if max(height, width) > 1 and content.look.filter is not None:
        floors = content.look.filter.floors(values)  # (rows,)
        shown = content.look.filter.shows(values, floors)
    colors = cell_pixels(values, content.scale, theme, hidden, shown)
    return Picture(
        colors,
        _seen(pooled.rows, content.shape[0], height, cell[0]),
        _seen(pooled.columns, content.shape[1], width, cell[1]),
        pooled.block,
    )


def coarse(content: StepContent, rows: Span, columns: Span) -> Pooled:
    """Return a window of a large step as its overview has it, in the smallest blocks.

    Of the largest numbers, as long as the means have not been computed.
    """
    assert content.overview is not None
    return _of_overview(content.overview, (1, 1), rows, columns, content.look.pooling)


def finer_blocks(
    content: StepContent, rows: Span, columns: Span, cell: tuple[float, float]
) -> tuple[int, int] | None:
    """Return the blocks that fill a pixel, where the overview of a step is coarser.

    None where it is not, or where reading the window takes too long, and for steps
    without an overview. The parameters are those of `paint_window`.
    """
    overview = content.overview
    if overview is None:
        return None
    block = _block_size(cell[0]), _block_size(cell[1])
    fine = block[0] >= overview.block[0] and block[1] >= overview.block[1]
    cells = (rows[1] - rows[0]) * (columns[1] - columns[0])
    return None if fine or cells > MOST_CELLS else block


def has_patterns(cell: float, n_cells: int) -> bool:
    """Return whether cells beyond the limits have a pattern over their colour.

    Parameters
    ----------
    cell : float
        The smaller side of a cell in pixels.
    n_cells : int
        How many cells are visible.
    """
    return n_cells <= MOST_SHAPES if for_paper() else cell >= PATTERNED_FROM


def _seen(span: Span, count: int, block: int, pixels: float) -> Span:
    """Return the cells a picture has to cover so that none of its blocks is lost.

    Less than a pixel of the last block may be visible. All blocks are then drawn
    slightly smaller, so that each gets a pixel.
    """
    start, stop = span
    beyond = max(0, stop - count)
    lost = beyond and (block - beyond) * pixels < 1
    return start, count if lost else stop


def _pool(
    content: StepContent, rows: Span, columns: Span, cell: tuple[float, float]
) -> Pooled:
    """Read a window of cells, in blocks where they share a pixel."""
    keep, overview = content.look.pooling, content.overview
    if overview is not None and finer_blocks(content, rows, columns, cell) is None:
        block = _block_size(cell[0]), _block_size(cell[1])
        return _of_overview(overview, block, rows, columns, keep)
    rows, n_rows, height = _blocks(rows, cell[0], content.shape[0])
    columns, n_columns, width = _blocks(columns, cell[1], content.shape[1])
    window = slice(*rows), slice(*columns)
    values = content.matrix.window(*window)  # (rows, columns)
    hidden = content.matrix.hidden(*window)
    if max(height, width) > 1:
        blocks = Overview(InMemory(values, hidden), (n_rows, n_columns))
        pooled = blocks.pooled((height, width), keep=keep)
        values, hidden = pooled.values, pooled.hidden  # (n_rows, n_columns)
    return Pooled(
        values,
        hidden,
        (rows[0], rows[0] + height * n_rows),
        (columns[0], columns[0] + width * n_columns),
        (height, width),
    )


def _of_overview(
    overview: Overview,
    block: tuple[int, int],
    rows: Span,
    columns: Span,
    keep: Pooling,
) -> Pooled:
    # Until the means have been computed.
    keep = keep if overview.has_means else "extreme"
    return overview.pooled(block, slice(*rows), slice(*columns), keep=keep)


def _blocks(span: Span, pixels: float, count: int) -> tuple[Span, int, int]:
    """Widen a span to whole blocks; return it, their number and their size."""
    size = _block_size(pixels)
    start, stop = span[0] // size * size, min(count, -(-span[1] // size) * size)
    n_blocks = -(-(stop - start) // size)
    # The smallest blocks that give this number, as pooling chooses them.
    return (start, stop), n_blocks, -(-(stop - start) // n_blocks)


def _block_size(pixels: float) -> int:
    """Return how many cells share a pixel."""
    return max(1, math.ceil(1 / pixels - 1e-9))
