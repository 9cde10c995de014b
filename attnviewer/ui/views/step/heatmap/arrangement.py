"""The layout of the heatmap's parts."""

from dataclasses import dataclass, replace

from PySide6.QtCore import QRectF, QSizeF

MARGIN, LOW_MARGIN = 16.0, 8.0
"""Beside everything, and above and below it in a low window."""
GAP = 20.0
LARGEST_CELL = 112.0
LARGEST_SHARE = 0.5
"""Largest cell, as a share of the available space: two tokens fill it."""
MOST_OBLONG = 1.5
"""Largest aspect ratio of a cell, as long as it stays readable; as many rows as columns
have square cells, so that the diagonal is one."""
READABLE = (28.0, 56.0)
"""Height and width a cell may always take, whatever its aspect ratio."""
BAR_WIDTH = 14.0
APART = 4.0
"""Between the cells and what shares their rows, for the frame around them."""
MOST_BESIDE = 1.2
"""Largest width of what shares the rows, as a share of the width of the cells."""


@dataclass(frozen=True, slots=True)
class Extents:
    """The sizes requested by the parts around the cells, in pixels."""

    left: float
    top: float
    bar_labels: float
    statistics: float
    bottom: float = 0.0
    margin: float = MARGIN
    """Below everything; half of it above."""
    profile: float = 0.0
    """Of the curves that follow the cells, to the right and below."""


@dataclass(frozen=True, slots=True)
class Arrangement:
    """The rectangles of the parts: the cells, and everything aligned with them."""

    cells: QRectF
    left: QRectF
    top: QRectF
    bar: QRectF
    bottom: QRectF
    statistics: QRectF
    """Extends above the cells, as its headings are beside the column labels."""


def arrange(size: QSizeF, shape: tuple[int, int], extents: Extents) -> Arrangement:
    """Lay the parts out as large as possible, in the middle.

    Parameters
    ----------
    size : QSizeF
        The available space.
    shape : tuple of two int
        Rows and columns of the matrix.
    extents : Extents
        The sizes of the other parts.
    """
    beside = extents.profile + GAP + BAR_WIDTH + extents.bar_labels
    if extents.statistics:
        beside += GAP + extents.statistics
    rows, columns = shape
    below = extents.profile + extents.bottom
    free_down = size.height() - extents.top - below - 1.5 * extents.margin
    free_across = size.width() - extents.left - beside - 2 * MARGIN
    free_down, free_across = max(0.0, free_down), max(0.0, free_across)
    largest = max(LARGEST_CELL, LARGEST_SHARE * min(free_down, free_across))
    height, width = free_down / rows, free_across / columns
    height, width = min(height, largest), min(width, largest)
    if rows == columns:
        height = width = min(height, width)
    else:
        height, width = _readable(height, width)
    # Whole pixels: the separators and the colour bar end where the cells do.
    across, down = max(1, round(width * columns)), max(1, round(height * rows))
    cells = QRectF(
        round(MARGIN + extents.left + max(0.0, free_across - across) / 2),
        round(extents.margin / 2 + extents.top + max(0.0, free_down - down) / 2),
        across,
        down,
    )
    bar = QRectF(
        cells.right() + extents.profile + GAP,
        cells.top(),
        BAR_WIDTH + extents.bar_labels,
        cells.height(),
    )
    return Arrangement(
        cells,
        QRectF(cells.left() - extents.left, cells.top(), extents.left, cells.height()),
        QRectF(cells.left(), cells.top() - extents.top, cells.width(), extents.top),
        bar,
        QRectF(
            cells.left(),
            cells.bottom() + extents.profile,
            cells.width(),
            extents.bottom,
        ),
        QRectF(
            bar.right() + GAP,
            cells.top() - extents.top,
            extents.statistics,
            cells.height() + extents.top,
        ),
    )


def beside_rows(
    arrangement: Arrangement, width: float, least: float
) -> tuple[Arrangement, QRectF]:
    """Make room between the cells and the colour bar.

    Parameters
    ----------
    arrangement : Arrangement
        The parts without statistics, laid out where `least` of the width is missing.
    width : float
        The width of all.
    least : float
        The width needed between cells and bar.

    Returns
    -------
    tuple of Arrangement and QRectF
        The parts, in the middle again, and the place beside the rows.
    """
    left, right = arrangement.left.left(), arrangement.bar.right()
    free = max(least, width - 2 * MARGIN - (right - left))
    wide = round(min(free, max(least, MOST_BESIDE * arrangement.cells.width())))
    by = round(MARGIN + (free - wide) / 2 - left)
    moved = replace(
        arrangement,
        cells=arrangement.cells.translated(by, 0),
        left=arrangement.left.translated(by, 0),
        top=arrangement.top.translated(by, 0),
        bottom=arrangement.bottom.translated(by, 0),
        bar=arrangement.bar.translated(by + wide, 0),
        statistics=arrangement.statistics.translated(by + wide, 0),
    )
    cells = moved.cells
    left = cells.right() + APART
    return moved, QRectF(left, cells.top(), wide - APART, cells.height())


def _readable(height: float, width: float) -> tuple[float, float]:
    """Return a less oblong cell of at most this size."""
    return (
        min(height, max(width * MOST_OBLONG, READABLE[0])),
        min(width, max(height * MOST_OBLONG, READABLE[1])),
    )
