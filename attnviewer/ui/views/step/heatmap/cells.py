"""What is drawn over the cells in sight: separators, patterns and numbers."""

import math

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontInfo,
    QFontMetricsF,
    QPainter,
    QTransform,
)
from PySide6.QtWidgets import (
    QGraphicsItem,
    QGraphicsObject,
    QStyleOptionGraphicsItem,
    QWidget,
)

from attnviewer.compute import Array, BoolArray
from attnviewer.ui.paint.color_scale import OVER, PLAIN, UNDER
from attnviewer.ui.paint.colors import INKS, cell_colors, wants_light_ink
from attnviewer.ui.paint.fonts import fixed_font
from attnviewer.ui.paint.hatching import TILE
from attnviewer.ui.paint.paper import for_paper
from attnviewer.ui.paint.step_content import StepContent
from attnviewer.ui.paint.theme import LIGHT, Theme
from attnviewer.ui.text.number_format import LOOKED_AT
from attnviewer.ui.text.numbers import decimals_for, format_number
from attnviewer.ui.views.step.heatmap.cell_grid import CellGrid
from attnviewer.ui.views.step.heatmap.glyphs import glyphs_of, half_width
from attnviewer.ui.views.step.heatmap.number_layer import NumberLayer
from attnviewer.ui.views.step.heatmap.patterns import MASKED, fill_kind
from attnviewer.ui.views.step.heatmap.picture import hatched_by_lines
from attnviewer.ui.views.step.heatmap.written import write_numbers

MOST_DECIMALS = 4
FONT_SHARES = (0.75, 1.25)
"""Smallest and usual largest size of the numbers, as shares of the labels'."""
SHRUNK = 0.85
"""How small they may get so that all decimals fit."""
LARGE_CELLS_FONT = 0.11
"""Its share of cells so large that the usual font looks lost in them."""
INSET = 3.0
SEPARATED_FROM = 14.0
"""Cells this large, in pixels, have lines of the surface between them."""
WIDE_SEPARATOR_FROM = 60.0
LONGEST = 12
"""The most letters of a number in a cell; 999999.9999 and its sign."""
DARK, LIGHT_INK = range(2)
"""What numbers are written with."""


class CellsItem(QGraphicsObject):
    """Draws over the picture, in the coordinates of the cells.

    One item for all cells, which draws only those in sight.
    """

    def __init__(self) -> None:
        super().__init__()
        self._content: StepContent | None = None
        self._theme = LIGHT
        self._sight = QRectF()
        self._decimals_of_step: int | None = None
        self._layer: NumberLayer | None = None
        self._label_pixels = QFontInfo(QFont()).pixelSize()
        # It is told which rows are to be painted.
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)

    def set_content(self, content: StepContent, theme: Theme) -> None:
        """Show other numbers, and repaint the rows that are written otherwise.

        What has another colour is repainted with that.
        """
        before, self._content = self._content, content
        worn, self._theme = self._theme, theme
        layer, self._layer = self._layer, None
        self._decimals_of_step = None
        if before is None or content.shape != before.shape:
            self.prepareGeometryChange()
        elif layer is None or theme is not worn:
            self.update()
        else:
            self._layer = self._compose(layer.grid, content, layer.ratio)
            first, last = self._layer.changed_since(layer)
            if first < last:
                self.update(QRectF(0, first, content.shape[1], last - first))

    def forget(self) -> None:
        """Drop the numbers."""
        if self._content is not None:
            self._content, self._layer = self._content.emptied(), None

    def set_font(self, font: QFont) -> None:
        """Write numbers in a size that suits labels of a font."""
        self._label_pixels = QFontInfo(font).pixelSize()
        self._layer = None
        self.update()

    def set_sight(self, sight: QRectF) -> None:
        """Say which part of the matrix is in sight, in cells."""
        self._sight = QRectF(sight)

    def boundingRect(self) -> QRectF:
        if self._content is None:
            return QRectF()
        rows, columns = self._content.shape
        return QRectF(0, 0, columns, rows)

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
        if hatched_by_lines(smaller * ratio, grid.n_cells):
            self._paint_patterns(painter, exposed, self._content)
        if smaller >= SEPARATED_FROM:
            self._paint_separators(painter, exposed)
        layer = self._layer
        if layer is None or (layer.grid, layer.ratio) != (grid, ratio):
            layer = self._compose(grid, self._content, ratio)
            if not for_paper():  # the next edit is compared with what is on the screen
                self._layer = layer
        layer.paint(painter, exposed.rows)

    def texts(self) -> list[str]:
        """Return the numbers that were last drawn, in no particular order."""
        written = None if self._layer is None else self._layer.written
        return [] if written is None else written.texts()

    def _paint_separators(self, painter: QPainter, grid: CellGrid) -> None:
        wide = 2 if min(grid.width, grid.height) >= WIDE_SEPARATOR_FROM else 1
        color = QColor(self._theme.surface)
        left, right = round(grid.x(grid.columns[0])), round(grid.x(grid.columns[1]))
        top, bottom = round(grid.y(grid.rows[0])), round(grid.y(grid.rows[1]))
        # Whole numbers: lines at fractions of a pixel take many times longer.
        for row in range(grid.rows[0] + 1, grid.rows[1]):
            y = round(grid.y(row) - wide / 2)
            painter.fillRect(left, y, right - left, wide, color)
        for column in range(grid.columns[0] + 1, grid.columns[1]):
            x = round(grid.x(column) - wide / 2)
            painter.fillRect(x, top, wide, bottom - top, color)

    def _paint_patterns(
        self, painter: QPainter, grid: CellGrid, content: StepContent
    ) -> None:
        """Draw over cells that have no place on the scale, or that a mask hides."""
        hidden = content.matrix.hidden(*grid.window)
        kinds = content.scale.kinds(content.matrix.window(*grid.window))
        if hidden is None and kinds is None:
            return
        marks = np.zeros((grid.n_rows, grid.n_columns), np.uint8)
        if kinds is not None:
            marks[:] = kinds
            shown = content.shown(*grid.window)
            if shown is not None:
                marks[~shown] = PLAIN
        if hidden is not None:
            marks[hidden] = MASKED
        for kind in np.unique(marks[marks > 0]).tolist():
            for row, flags in enumerate(marks == kind, grid.rows[0]):
                for start, stop in _runs(flags):
                    rect = grid.rect(row, grid.columns[0] + start)
                    rect.setWidth((stop - start) * grid.width)
                    cells = _patterned(kind, rect)
                    fill_kind(painter, cells, kind, self._theme)

    def _font(self, grid: CellGrid, ratio: float, letters: int) -> QFont:
        """Return the font of the numbers, of which the widest has so many letters."""
        font = fixed_font()
        smaller = min(grid.height, grid.width)
        smallest, usual = (share * self._label_pixels for share in FONT_SHARES)
        most = max(usual, smaller * LARGE_CELLS_FONT)
        pixels = round(min(grid.height * 0.45, grid.width / 4, most))
        for size in range(pixels, round(SHRUNK * self._label_pixels) - 1, -1):
            font.setPixelSize(size)
            # A bit smaller with all their decimals, numbers say more.
            width = letters * 2 * half_width(font, ratio) / ratio
            if width <= grid.width - 2 * INSET:
                return font
        font.setPixelSize(max(round(smallest), pixels))
        return font

    def _compose(
        self, grid: CellGrid, content: StepContent, ratio: float
    ) -> NumberLayer:
        empty = NumberLayer(grid, ratio)
        if grid.height < self._least_height():
            return empty  # a window of so small cells may be the whole of a large step
        values = content.matrix.window(*grid.window)  # (rows, columns)
        widest, most = _widest(values), self._most_decimals(values)
        longest = _longest(widest, most)
        font = self._font(grid, ratio, longest)
        if grid.height < QFontMetricsF(font).height() * 0.9 or not grid.n_cells:
            return empty
        inks = tuple(ink.name() for ink in INKS)
        glyphs = glyphs_of(font.family(), font.pixelSize(), ratio, inks)
        letters = math.floor((grid.width - 2 * INSET) / glyphs.advance(ratio))
        hidden = content.matrix.hidden(*grid.window)
        fits = longest <= letters and bool(widest)
        decimals = most if fits else _decimals(widest, most, letters)
        if decimals is None:
            return empty
        letters = min(letters, LONGEST)
        colors = cell_colors(values, content.scale, self._theme, hidden)
        ink = np.where(wants_light_ink(colors), LIGHT_INK, DARK)  # (rows, columns)
        bare = self._bare(grid, content, hidden)
        wanted = None if bare is None else ~bare.ravel()
        written = write_numbers(values.ravel(), decimals, letters, wanted)
        wide = written.codes.shape[1] * glyphs.advance(ratio)
        lefts = [grid.x(c + 0.5) - wide / 2 for c in range(*grid.columns)]
        tops = [grid.y(r + 0.5) - glyphs.height / ratio / 2 for r in range(*grid.rows)]
        places = np.rint(np.array(lefts) * ratio).astype(np.intp)
        return NumberLayer(
            grid,
            ratio,
            written,
            ink,
            font,
            glyphs.compose(written, ink, places - places[0]),
            int(places[0]),
            tuple(round(top * ratio) for top in tops),
        )

    def _least_height(self) -> float:
        """Return how high cells must be at least to have numbers."""
        font = fixed_font()
        smallest = min(SHRUNK, FONT_SHARES[0]) * self._label_pixels
        font.setPixelSize(max(1, math.floor(smallest)))
        return QFontMetricsF(font).height() * 0.9

    def _bare(
        self, grid: CellGrid, content: StepContent, hidden: BoolArray | None
    ) -> BoolArray | None:
        """Return which cells have no number: dimmed ones, and hidden weights."""
        bare = None if content.writes_hidden else hidden
        shown = content.shown(*grid.window)
        if shown is None:
            return bare
        return ~shown if bare is None else ~shown | bare

    def _most_decimals(self, values: Array) -> int:
        # The whole step decides, but a window of it can already settle it.
        if decimals_for(values, MOST_DECIMALS) == MOST_DECIMALS:
            return MOST_DECIMALS
        if self._decimals_of_step is None:
            assert self._content is not None
            rows, columns = self._content.shape
            if rows * columns > LOOKED_AT:
                return decimals_for(values, MOST_DECIMALS)
            whole = self._content.matrix.window()  # (rows, columns)
            self._decimals_of_step = decimals_for(whole, MOST_DECIMALS)
        return self._decimals_of_step


def _widest(values: Array) -> set[float]:
    """Return the numbers that are as long as any."""
    finite = values[np.isfinite(values)]
    plain = finite[np.abs(finite) < 1e6]
    ends = (some for some in (finite, plain) if some.size)
    return {end for some in ends for end in (float(some.max()), float(some.min()))}


def _decimals(widest: set[float], most: int, letters: int) -> int | None:
    """Return how many decimals fit; None if not even one, or no digit, does."""
    if not widest:
        return 0 if letters >= 2 else None
    counts = range(most, min(most, 1) - 1, -1)
    return next((d for d in counts if _longest(widest, d) <= letters), None)


def _longest(values: set[float], decimals: int) -> int:
    return max((len(_plain_text(value, decimals)) for value in values), default=0)


def _patterned(kind: int, cells: QRectF) -> QRectF:
    """Return which part of cells has their pattern, so that numbers can be read."""
    if kind not in (OVER, UNDER) or cells.height() < 3 * TILE:
        return cells
    top = cells.top() if kind == OVER else cells.bottom() - TILE
    return QRectF(cells.left(), top, cells.width(), TILE)


def _plain_text(value: float, decimals: int) -> str:
    """Write a number like `format_number`, but a small one without exponent."""
    small = abs(value) <= 0.5 * 10.0**-decimals
    return format_number(math.copysign(0.0, value) if small else value, decimals)


def _runs(flags: BoolArray) -> list[tuple[int, int]]:
    """Return where runs of true flags start, and where they have ended."""
    edges = np.flatnonzero(np.diff(flags, prepend=False, append=False))
    return [(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]
