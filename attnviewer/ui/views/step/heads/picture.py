"""The matrix of a head as a small picture."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen

from attnviewer.compute import Array, BoolArray, Pooled
from attnviewer.compute.windowed.pooled_reading import PooledReading
from attnviewer.ui.paint.colors import cell_colors, ink_on
from attnviewer.ui.paint.miniature.digits import cell_texts
from attnviewer.ui.paint.miniature.grid import Grid
from attnviewer.ui.paint.miniature.image import cell_image
from attnviewer.ui.paint.miniature.miniature import Miniature, pin_marks
from attnviewer.ui.paint.step_content import StepContent
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.text.matrix_numbers import cell_number, common_exponent
from attnviewer.ui.text.numbers import decimals_for

if TYPE_CHECKING:
    from attnviewer.ui.state.selection import Position

SMALLEST_MARK = 5
MOST_DECIMALS = 4
INSET = 4
"""Beside a number."""
_AT_ONCE = 2**19
"""Cells that are read in a turn, in about 10 ms."""
MOST_NUMBERS = 400
"""Cells that are written out; more of them are seldom large enough."""


class Drawing:
    """Draws up the picture of a matrix in turns; an older one stays until then.

    Attributes
    ----------
    picture : Miniature or None
        The newest there is.
    density : float
        The screen's pixels to one of Qt's, as it was drawn.
    done : bool
        Whether it is as the matrix is now.
    """

    def __init__(self) -> None:
        self.picture: Miniature | None = None
        self.density = 1.0
        self.done = False
        self._reading: PooledReading | None = None

    def begin_anew(self, *, at_once: bool) -> None:
        """Draw another picture; without the old one if it would not fit at all."""
        self.done = False
        self._reading = None
        if at_once:
            self.picture = None

    def go_on(
        self,
        content: StepContent,
        theme: Theme,
        grid: Grid,
        font: QFont,
        density: float,
    ) -> bool:
        """Do a bit of it; return whether it is done. See `make_picture`."""
        if self.done:
            return True
        rows, columns = content.matrix.shape
        if self._reading is None:
            block = (
                _block(rows, grid.size.height(), density),
                _block(columns, grid.size.width(), density),
            )
            self._reading = PooledReading(
                content.matrix, block, (0, rows), (0, columns), content.look.pooling
            )
        self._reading.read(_AT_ONCE // columns)
        if self._reading.done:
            pooled, self._reading = self._reading.picture(), None
            self.done, self.density = True, density
            self.picture = make_picture(content, pooled, theme, grid, font)
        return self.done


def _block(count: int, side: int, density: float) -> int:
    """Return the rows or columns of a pixel, at least one."""
    return -(-count // max(1, int(side * density)))


def make_picture(
    content: StepContent, pooled: Pooled, theme: Theme, grid: Grid, font: QFont
) -> Miniature:
    """Draw up the picture of a matrix.

    Parameters
    ----------
    content : StepContent
        The matrix.
    pooled : Pooled
        Its numbers, one per pixel at most.
    theme : Theme
        Colours.
    grid : Grid
        Where the cells are.
    font : QFont
        The numbers' font.
    """
    values, chosen = pooled.values, content.look.filter
    shown = None if chosen is None else chosen.shows(values, chosen.floors(values))
    colors = cell_colors(values, content.scale, theme, pooled.hidden, shown)
    texts: tuple[str, ...] = ()
    if pooled.block == (1, 1) and values.size <= MOST_NUMBERS:
        blank = pooled.hidden if content.is_weights else None
        texts = _texts(grid, values, blank, QFontMetrics(font))
    pins: tuple[tuple[Position, QColor], ...] = ()
    if pooled.block == (1, 1):
        pins = pin_marks(grid, content.pinned(slice(None), slice(None)), colors)
    return Miniature(
        grid.rows,
        grid.columns,
        grid.size,
        cell_image(colors, pooled.hidden),
        pooled.hidden is not None,
        (pooled.rows[1] / grid.rows, pooled.columns[1] / grid.columns),
        texts,
        tuple(map(ink_on, colors.reshape(-1, 3))) if texts else (),
        pins,
    )


def _texts(
    grid: Grid, values: Array, blank: BoolArray | None, metrics: QFontMetrics
) -> tuple[str, ...]:
    """Write the numbers as exactly as there is room for; () if there is none."""
    cell = grid.cell_rect((0, 0)).size()
    if cell.height() < metrics.height():
        return ()
    if common_exponent(values):
        return ()  # a card has no room to name the factor
    numbers = [float(value) for value in values.ravel()]
    most = decimals_for(values, MOST_DECIMALS)
    ways = [
        [cell_number(number, decimals) for number in numbers]
        for decimals in range(most, min(most, 2) - 1, -1)
    ]
    for texts in [*ways, cell_texts(numbers)]:
        if max(map(metrics.horizontalAdvance, texts)) + INSET <= cell.width():
            away = [False] * len(texts) if blank is None else blank.ravel().tolist()
            return tuple(
                "" if gone else text for text, gone in zip(texts, away, strict=True)
            )
    return ()


def paint_mark(painter: QPainter, cell: QRect, theme: Theme, *, strong: bool) -> None:
    """Frame a cell, with a halo beneath that stands out from any cell.

    The frame lies around the cell, which stays visible however small it is.

    Parameters
    ----------
    painter : QPainter
        Where to.
    cell : QRect
        Where the cell is.
    theme : Theme
        Colours.
    strong : bool
        Whether it is the selected cell, or only the one under the pointer.
    """
    missing = max(0, SMALLEST_MARK - min(cell.width(), cell.height()) + 1) // 2
    rect = cell.adjusted(-missing, -missing, missing, missing)
    wide = 2 if strong else 1
    painter.setBrush(Qt.BrushStyle.NoBrush)
    # A pen of one pixel draws right of and below its rectangle.
    for outset in range(1, wide + 2):
        color = theme.halo if outset > wide else theme.frame
        painter.setPen(QPen(QColor(color), 1))
        painter.drawRect(rect.adjusted(-outset, -outset, outset - 1, outset - 1))
