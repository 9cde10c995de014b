"""The layout of the heatmap's parts."""

from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSizeF

MARGIN = 16.0
GAP = 20.0
LARGEST_CELL = 112.0
LARGEST_SHARE = 0.2
"""A cell may be larger on a large screen: up to this share of the room."""
MOST_OBLONG = 1.5
"""How much longer than wide a cell may be, where that still leaves it readable."""
READABLE = (28.0, 56.0)
"""Height and width that a cell may take whatever its other side is."""
BAR_WIDTH = 14.0


@dataclass(frozen=True, slots=True)
class Extents:
    """The sizes requested by the parts around the cells, in pixels."""

    left: float
    top: float
    bar_labels: float
    statistics: float
    bottom: float = 0.0


@dataclass(frozen=True, slots=True)
class Arrangement:
    """The rectangles of the parts: the cells, and everything aligned with them."""

    cells: QRectF
    left: QRectF
    top: QRectF
    bar: QRectF
    bottom: QRectF
    statistics: QRectF
    """Beside the cells and, with its headings, beside the labels above them."""


def arrange(size: QSizeF, shape: tuple[int, int], extents: Extents) -> Arrangement:
    """Place the parts at the upper left, as large as possible.

    Parameters
    ----------
    size : QSizeF
        The room.
    shape : tuple of two int
        Rows and columns of the matrix.
    extents : Extents
        The sizes of the other parts.
    """
    x, y = MARGIN + extents.left, MARGIN / 2 + extents.top
    beside = GAP + BAR_WIDTH + extents.bar_labels
    if extents.statistics:
        beside += GAP + extents.statistics
    rows, columns = shape
    room_down = max(0.0, size.height() - y - extents.bottom - MARGIN)
    room_across = max(0.0, size.width() - x - beside - MARGIN)
    largest = max(LARGEST_CELL, LARGEST_SHARE * min(room_down, room_across))
    height, width = _cell_size(room_down / rows, room_across / columns, largest)
    # Whole pixels: the separators and the colour bar end where the cells do.
    cells = QRectF(
        round(x),
        round(y),
        max(1, round(width * columns)),
        max(1, round(height * rows)),
    )
    bar = QRectF(
        cells.right() + GAP,
        cells.top(),
        BAR_WIDTH + extents.bar_labels,
        cells.height(),
    )
    return Arrangement(
        cells,
        QRectF(MARGIN, cells.top(), cells.left() - MARGIN, cells.height()),
        QRectF(cells.left(), cells.top() - extents.top, cells.width(), extents.top),
        bar,
        QRectF(cells.left(), cells.bottom(), cells.width(), extents.bottom),
        QRectF(
            bar.right() + GAP,
            cells.top() - extents.top,
            extents.statistics,
            cells.height() + extents.top,
        ),
    )


def _cell_size(height: float, width: float, largest: float) -> tuple[float, float]:
    height, width = min(height, largest), min(width, largest)
    return (
        min(height, max(width * MOST_OBLONG, READABLE[0])),
        min(width, max(height * MOST_OBLONG, READABLE[1])),
    )
