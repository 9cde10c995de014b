"""The layer over the visible cells: separators, patterns and numbers."""

import math

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontInfo,
    QFontMetricsF,
    QPainter,
    QTransform,
)
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget

from attnviewer.compute import Array, BoolArray
from attnviewer.ui.paint.color_scale import OVER, PLAIN, Rgb
from attnviewer.ui.paint.colors import INKS, cell_colors, rgb, wants_light_ink
from attnviewer.ui.paint.fonts import fixed_font
from attnviewer.ui.paint.paper import for_paper
from attnviewer.ui.paint.step_content import StepContent
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.state.selection import Position
from attnviewer.ui.text.matrix_numbers import (
    CellFormat,
    common_exponent,
    fitting_format,
    longest,
    without_factor,
)
from attnviewer.ui.text.number_format import LOOKED_AT
from attnviewer.ui.text.numbers import decimals_for
from attnviewer.ui.views.step.heatmap.cell_grid import CellGrid
from attnviewer.ui.views.step.heatmap.cells_layer import CellsLayer
from attnviewer.ui.views.step.heatmap.glyphs import glyphs_of, half_width
from attnviewer.ui.views.step.heatmap.number_codes import write_numbers
from attnviewer.ui.views.step.heatmap.number_layer import NumberLayer
from attnviewer.ui.views.step.heatmap.patterns import (
    PATTERNED,
    TILE,
    fill_kind,
)
from attnviewer.ui.views.step.heatmap.picture import Span, has_patterns

MOST_DECIMALS = 4
LEAST_PIXELS = 10
"""What would be smaller is not written."""
FONT_OF_CELL = 0.32
"""Size of the numbers, as a share of the cell."""
FONT_SHARES = (0.75, 1.85)
"""Its smallest and largest size, as shares of the labels'."""
LARGE_CELL = 9.0
"""Larger cells, as a multiple of the labels' size, have larger numbers."""
SHRUNK = 0.85
"""How small they may get so that all decimals fit."""
INSET, LEAST_INSET = 4.0, 2.0
"""Beside a number, and in cells that are narrow for any."""
AIR = 0.08
"""Beside a number in a wide cell, as a share of its width."""
NARROW = 28.0
"""Width below which a cell is narrow."""
SEPARATED_FROM = 24.0
"""Smallest cell with separators around it, in pixels."""
WIDE_SEPARATOR_FROM = 60.0
LONGEST = 12
"""Maximum characters of a number in a cell: those of -999999.9999."""
DIMMED = 0.1
"""Share of the ground in cells outside the row and column of the selected one."""
DARK, LIGHT_INK = range(2)
"""Indices of the text colours of numbers."""


class CellsItem(CellsLayer):
    """Draws the separators, patterns and numbers of all visible cells.

    Attributes
    ----------
    factored : Signal
        The power of ten that the drawn numbers are divided by has changed.
    """

    factored = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._cell: Position | None = None
        self._format_of_step: tuple[int, int] | None = None
        self._layer: NumberLayer | None = None
        self._detailed = True
        self._exponent = 0
        self._label_pixels = QFontInfo(QFont()).pixelSize()

    def set_content(self, content: StepContent, theme: Theme) -> None:
        """Show other numbers, and repaint the rows whose text has changed.

        A change of colour repaints its cells anyway.
        """
        before, self._content = self._content, content
        previous_theme, self._theme = self._theme, theme
        layer, self._layer = self._layer, None
        self._format_of_step = None
        if before is None or content.shape != before.shape:
            self.prepareGeometryChange()
        elif layer is None or theme is not previous_theme:
            self.update()
        else:
            self._layer = self._compose(layer.grid, content, layer.ratio)
            first, last = self._layer.changed_since(layer)
            if first < last:
                self.update(QRectF(0, first, content.shape[1], last - first))

    def forget(self) -> None:
        super().forget()
        self._layer = None

    def set_font(self, font: QFont) -> None:
        """Choose the size of the numbers to suit the font of the labels."""
        self._label_pixels = QFontInfo(font).pixelSize()
        self._layer = None
        self.update()

    def set_detailed(self, *, detailed: bool) -> None:
        """Draw what takes reading the visible cells, or wait for that."""
        if detailed != self._detailed:
            self._detailed = detailed
            self.update()

    def set_cell(self, cell: Position | None) -> None:
        """Dim all cells but those in the row and the column of one."""
        if cell != self._cell:
            self._cell, self._layer = cell, None
            self.update()

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionGraphicsItem,
        widget: QWidget | None = None,
    ) -> None:
        if self._content is None:
            return
        grid = CellGrid.of(painter.worldTransform(), self._sight, self._content.shape)
        # Fonts and lines are measured in pixels, not in cells.
        painter.setWorldTransform(QTransform())
        smaller = min(grid.width, grid.height)
        ratio = painter.device().devicePixelRatio()
        exposed = grid.around(option.exposedRect)
        self._dim(painter, exposed)
        if self._detailed and has_patterns(smaller * ratio, grid.n_cells):
            self._paint_patterns(painter, exposed, self._content)
        if smaller >= SEPARATED_FROM:
            self._paint_separators(painter, exposed)
            self._paint_masked(painter, exposed, self._content)
        if not self._detailed:
            return
        layer = self._layer
        if layer is None or (layer.grid, layer.ratio) != (grid, ratio):
            layer = self._compose(grid, self._content, ratio)
            if not for_paper():  # the next edit is compared with what is on the screen
                self._layer = layer
        layer.paint(painter, exposed.rows)
        if layer.exponent != self._exponent and not for_paper():
            self._exponent = layer.exponent
            self.factored.emit(layer.exponent)

    def texts(self) -> list[str]:
        """Return the numbers that were last drawn, in no particular order."""
        written = None if self._layer is None else self._layer.written
        return [] if written is None else written.texts()

    def _dim(self, painter: QPainter, grid: CellGrid) -> None:
        """Mix the ground into cells that have nothing to do with the selected one."""
        if self._cell is None:
            return
        ground = QColor(self._theme.window)
        ground.setAlphaF(DIMMED)
        row, column = self._cell
        for top, bottom in _around(row, grid.rows):
            for left, right in _around(column, grid.columns):
                corner = QPointF(grid.x(left), grid.y(top)).toPoint()
                opposite = QPointF(grid.x(right), grid.y(bottom)).toPoint()
                across, down = opposite.x() - corner.x(), opposite.y() - corner.y()
                painter.fillRect(QRect(corner, QSize(across, down)), ground)

    def _paint_separators(self, painter: QPainter, grid: CellGrid) -> None:
        wide = 2 if min(grid.width, grid.height) >= WIDE_SEPARATOR_FROM else 1
        color = QColor(self._theme.surface)
        left, right = round(grid.x(grid.columns[0])), round(grid.x(grid.columns[1]))
        top, bottom = round(grid.y(grid.rows[0])), round(grid.y(grid.rows[1]))
        # Whole pixels: lines at fractions of a pixel take many times longer to paint.
        for row in range(grid.rows[0] + 1, grid.rows[1]):
            y = round(grid.y(row) - wide / 2)
            painter.fillRect(left, y, right - left, wide, color)
        for column in range(grid.columns[0] + 1, grid.columns[1]):
            x = round(grid.x(column) - wide / 2)
            painter.fillRect(x, top, wide, bottom - top, color)

    def _paint_patterns(
        self, painter: QPainter, grid: CellGrid, content: StepContent
    ) -> None:
        """Draw over cells whose numbers are beyond the limits."""
        kinds = content.scale.kinds(content.matrix.window(*grid.window))
        if kinds is None:
            return
        plain = [content.matrix.hidden(*grid.window)]
        shown = content.shown(*grid.window)
        plain.append(None if shown is None else ~shown)
        for cells in plain:
            if cells is not None:
                kinds[cells] = PLAIN
        for kind in PATTERNED:
            for row, flags in enumerate(kinds == kind, grid.rows[0]):
                for start, stop in _runs(flags):
                    rect = grid.rect(row, grid.columns[0] + start)
                    rect.setWidth((stop - start) * grid.width)
                    fill_kind(painter, _patterned(kind, rect), kind)

    def _paint_masked(
        self, painter: QPainter, grid: CellGrid, content: StepContent
    ) -> None:
        """Outline the cells that a mask hides, which are as light as the ground."""
        hidden = content.matrix.hidden(*grid.window)
        if hidden is None:
            return
        painter.setPen(QColor(self._theme.border))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        first_row, first_column = grid.rows[0], grid.columns[0]
        painter.drawRects(
            [
                grid.pixels(first_row + row, first_column + column)
                for row, column in np.argwhere(hidden).tolist()
            ]
        )

    def _font(self, grid: CellGrid, ratio: float, letters: int) -> QFont:
        """Return the font for numbers of at most this many characters."""
        font = fixed_font()
        smaller = min(grid.height, grid.width)
        smallest, largest = (share * self._label_pixels for share in FONT_SHARES)
        largest *= max(1.0, smaller / (LARGE_CELL * self._label_pixels))
        pixels = round(min(smaller * FONT_OF_CELL, largest))
        shrunk = max(LEAST_PIXELS, round(SHRUNK * self._label_pixels))
        room = grid.width - 2 * max(INSET, AIR * grid.width)
        for size in range(pixels, shrunk - 1, -1):
            font.setPixelSize(size)
            # Slightly smaller numbers with all decimals tell more.
            width = letters * 2 * half_width(font, ratio) / ratio
            if width <= room:
                return font
        usual = min(pixels, self._label_pixels)
        font.setPixelSize(max(LEAST_PIXELS, round(smallest), usual))
        return font

    def _compose(
        self, grid: CellGrid, content: StepContent, ratio: float
    ) -> NumberLayer:
        empty = NumberLayer(grid, ratio)
        if grid.height < self._least_height():
            return empty  # the window may be all of a large step
        values = content.matrix.window(*grid.window)  # (rows, columns)
        exponent, most = self._format(values)
        numbers, plus = without_factor(values, exponent), content.writes_plus
        widest = _widest(numbers)
        wanted = longest(widest, CellFormat(most), plus=plus)
        font = self._font(grid, ratio, wanted)
        if grid.height < QFontMetricsF(font).height() * 0.9 or not grid.n_cells:
            return empty
        inks = tuple(ink.name() for ink in INKS)
        glyphs = glyphs_of(font.family(), font.pixelSize(), ratio, inks)
        inset = INSET if grid.width >= NARROW else LEAST_INSET
        letters = math.floor((grid.width - 2 * inset) / glyphs.advance(ratio))
        hidden = content.matrix.hidden(*grid.window)
        form = fitting_format(widest, most, letters, plus=plus)
        if form is None:
            return empty
        letters = min(letters, LONGEST)
        colors = cell_colors(values, content.scale, self._theme, hidden)
        self._mix(colors, grid)
        ink = np.where(wants_light_ink(colors), LIGHT_INK, DARK)  # (rows, columns)
        bare = self._bare(grid, content, hidden)
        there = None if bare is None else ~bare.ravel()
        written = write_numbers(
            numbers.ravel(),
            form.decimals,
            letters,
            there,
            plus=plus,
            compact=form.compact,
        )
        wide = written.codes.shape[1] * glyphs.advance(ratio)
        lefts = [grid.x(c + 0.5) - wide / 2 for c in range(*grid.columns)]
        tops = [grid.y(r + 0.5) - glyphs.height / ratio / 2 for r in range(*grid.rows)]
        pixels = np.rint(np.array(lefts) * ratio).astype(np.intp)
        return NumberLayer(
            grid,
            ratio,
            written,
            ink,
            font,
            glyphs.compose(written, ink, pixels - pixels[0]),
            int(pixels[0]),
            tuple(round(top * ratio) for top in tops),
            exponent,
        )

    def _mix(self, colors: Rgb, grid: CellGrid) -> None:
        """Mix the ground into colours, (rows, columns, 3), as `_dim` does."""
        if self._cell is None:
            return
        lit = np.zeros(colors.shape[:2], np.bool_)  # (rows, columns)
        row, column = self._cell
        lit[np.arange(*grid.rows) == row] = True
        lit[:, np.arange(*grid.columns) == column] = True
        mixed = colors * (1 - DIMMED) + DIMMED * np.array(rgb(self._theme.window))
        colors[~lit] = mixed[~lit].astype(np.uint8)

    def _least_height(self) -> float:
        """Return the smallest height of a cell that has a number."""
        font = fixed_font()
        smallest = min(SHRUNK, FONT_SHARES[0]) * self._label_pixels
        font.setPixelSize(max(LEAST_PIXELS, math.floor(smallest)))
        return QFontMetricsF(font).height() * 0.9

    def _bare(
        self, grid: CellGrid, content: StepContent, hidden: BoolArray | None
    ) -> BoolArray | None:
        """Return which cells show no number: dimmed ones and masked weights."""
        bare = None if content.writes_hidden else hidden
        shown = content.shown(*grid.window)
        if shown is None:
            return bare
        return ~shown if bare is None else ~shown | bare

    def _format(self, values: Array) -> tuple[int, int]:
        """Return the common exponent of the step, and the decimals without it.

        A large step is not read for it: the cells in sight decide.
        """
        if self._format_of_step is None:
            assert self._content is not None
            rows, columns = self._content.shape
            if rows * columns <= LOOKED_AT:
                values = self._content.matrix.window()  # (rows, columns)
            exponent = common_exponent(values)
            numbers = without_factor(values, exponent)
            found = exponent, decimals_for(numbers, MOST_DECIMALS)
            if rows * columns > LOOKED_AT:
                return found
            self._format_of_step = found
        return self._format_of_step


def _around(index: int, span: Span) -> list[Span]:
    """Return what of a range is before and after an index."""
    start, stop = span
    parts = (start, min(index, stop)), (max(start, index + 1), stop)
    return [(first, last) for first, last in parts if first < last]


def _widest(values: Array) -> set[float]:
    """Return the extreme numbers, one of which has the longest text."""
    finite = values[np.isfinite(values)]
    plain = finite[np.abs(finite) < 1e6]
    ends = (some for some in (finite, plain) if some.size)
    return {end for some in ends for end in (float(some.max()), float(some.min()))}


def _patterned(kind: int, cells: QRectF) -> QRectF:
    """Return which part of cells has their pattern, so that numbers can be read."""
    if cells.height() < 3 * TILE:
        return cells
    top = cells.top() if kind == OVER else cells.bottom() - TILE
    return QRectF(cells.left(), top, cells.width(), TILE)


def _runs(flags: BoolArray) -> list[tuple[int, int]]:
    """Return the starts and stops of the runs of true flags."""
    edges = np.flatnonzero(np.diff(flags, prepend=False, append=False))
    return [(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]
