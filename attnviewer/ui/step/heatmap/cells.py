"""What is drawn over the cells in sight: separators, hatch and numbers."""

import math
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontDatabase,
    QFontMetricsF,
    QPainter,
    QTransform,
)
from PySide6.QtWidgets import QGraphicsObject, QStyleOptionGraphicsItem, QWidget

from attnviewer.compute import Array, BoolArray
from attnviewer.ui.colors import cell_colors, ink_on
from attnviewer.ui.numbers import decimals_for, fitted_number, format_number
from attnviewer.ui.step.content import StepContent
from attnviewer.ui.step.heatmap.picture import HATCH_PIXELS, Span
from attnviewer.ui.theme import LIGHT, Theme

MOST_DECIMALS = 4
FONT_PIXELS = (9, 15)
"""Smallest and usual largest height of the numbers' font."""
LARGE_CELLS_FONT = 0.11
"""Its share of cells so large that the usual font looks lost in them."""
INSET = 3.0
SEPARATED_FROM = 14.0
"""Cells this large, in pixels, have lines of the surface between them."""
WIDE_SEPARATOR_FROM = 60.0


CHANNELS = np.array([1 << 16, 1 << 8, 1])
"""Makes one number of a colour's channels."""

Texts: TypeAlias = dict[str, list[tuple[QPointF, str]]]
"""Numbers with their places, by the colour of their ink."""


@dataclass(frozen=True, slots=True)
class CellGrid:
    """Where the cells in sight are on the screen."""

    left: float
    top: float
    width: float
    height: float
    rows: Span
    columns: Span

    @classmethod
    def of(cls, transform: QTransform, sight: QRectF, shape: Span) -> "CellGrid":
        """Find the cells in sight.

        Parameters
        ----------
        transform : QTransform
            From cells to pixels.
        sight : QRectF
            What is in sight, in cells.
        shape : tuple of two int
            Rows and columns of the matrix.
        """
        return cls(
            transform.dx(),
            transform.dy(),
            transform.m11(),
            transform.m22(),
            (max(0, math.floor(sight.top())), min(shape[0], math.ceil(sight.bottom()))),
            (max(0, math.floor(sight.left())), min(shape[1], math.ceil(sight.right()))),
        )

    @property
    def window(self) -> tuple[slice, slice]:
        """Rows and columns of the cells in sight."""
        return slice(*self.rows), slice(*self.columns)

    def x(self, column: float) -> float:
        """Return where a column begins."""
        return self.left + column * self.width

    def y(self, row: float) -> float:
        """Return where a row begins."""
        return self.top + row * self.height

    def rect(self, row: int, column: int) -> QRectF:
        """Return the place of a cell."""
        return QRectF(self.x(column), self.y(row), self.width, self.height)


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
        self._texts: tuple[CellGrid, Texts, QFont] | None = None

    def set_content(self, content: StepContent, theme: Theme) -> None:
        """Show other numbers."""
        if self._content is None or content.shape != self._content.shape:
            self.prepareGeometryChange()
        self._content, self._theme = content, theme
        self._decimals_of_step = None
        self._texts = None
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
        if smaller * ratio >= HATCH_PIXELS:
            hidden = self._content.matrix.hidden(*grid.window)
            if hidden is not None:
                self._paint_hatch(painter, grid, hidden)
        if smaller >= SEPARATED_FROM:
            self._paint_separators(painter, grid)
        if self._texts is None or self._texts[0] != grid:
            self._texts = (grid, *self._place_texts(grid, self._content))
        _, texts, font = self._texts
        painter.setFont(font)
        for ink, placed in texts.items():
            painter.setPen(QColor(ink))
            for place, text in placed:
                painter.drawText(place, text)

    def texts(self) -> list[str]:
        """Return the numbers that were last drawn, in no particular order."""
        texts = {} if self._texts is None else self._texts[1]
        return [text for placed in texts.values() for _, text in placed]

    def _paint_separators(self, painter: QPainter, grid: CellGrid) -> None:
        wide = 2 if min(grid.width, grid.height) >= WIDE_SEPARATOR_FROM else 1
        color = QColor(self._theme.surface)
        left, right = grid.x(grid.columns[0]), grid.x(grid.columns[1])
        top, bottom = grid.y(grid.rows[0]), grid.y(grid.rows[1])
        for row in range(grid.rows[0] + 1, grid.rows[1]):
            y = round(grid.y(row) - wide / 2)
            painter.fillRect(QRectF(left, y, right - left, wide), color)
        for column in range(grid.columns[0] + 1, grid.columns[1]):
            x = round(grid.x(column) - wide / 2)
            painter.fillRect(QRectF(x, top, wide, bottom - top), color)

    def _paint_hatch(
        self, painter: QPainter, grid: CellGrid, hidden: BoolArray
    ) -> None:
        brush = QBrush(QColor(self._theme.hatch), Qt.BrushStyle.BDiagPattern)
        for row, flags in enumerate(hidden, grid.rows[0]):
            for start, stop in _runs(flags):
                first = grid.columns[0] + start
                place = grid.rect(row, first)
                place.setWidth((stop - start) * grid.width)
                painter.fillRect(place, brush)

    def _place_texts(self, grid: CellGrid, content: StepContent) -> tuple[Texts, QFont]:
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        smaller = min(grid.height, grid.width)
        most = max(FONT_PIXELS[1], smaller * LARGE_CELLS_FONT)
        pixels = round(min(grid.height * 0.45, grid.width / 4, most))
        font.setPixelSize(max(FONT_PIXELS[0], pixels))
        metrics = QFontMetricsF(font)
        if grid.height < metrics.height() * 0.9:
            return {}, font
        values = content.matrix.window(*grid.window)  # (rows, columns)
        hidden = content.matrix.hidden(*grid.window)
        advance = metrics.horizontalAdvance("0")
        letters = math.floor((grid.width - 2 * INSET) / advance)
        decimals = self._decimals(values, letters)
        if decimals is None:
            return {}, font
        colors = cell_colors(values, content.scale, self._theme, hidden)
        codes = (colors @ CHANNELS).tolist()  # (rows, columns)
        blank = None if hidden is None or content.writes_hidden else hidden.tolist()
        base = (metrics.ascent() - metrics.descent()) / 2
        texts: Texts = {}
        for i, row in enumerate(values.tolist()):
            y = grid.y(grid.rows[0] + i + 0.5) + base
            for j, value in enumerate(row):
                if blank is not None and blank[i][j]:
                    continue
                text = _short_text(value, decimals, letters)
                x = grid.x(grid.columns[0] + j + 0.5) - len(text) * advance / 2
                texts.setdefault(_ink(codes[i][j]), []).append((QPointF(x, y), text))
        return texts, font

    def _decimals(self, values: Array, letters: int) -> int | None:
        """Return how many decimals fit; None if not even one, or no digit, does."""
        finite = values[np.isfinite(values)]
        if finite.size == 0:
            return 0 if letters >= 2 else None
        plain = finite[np.abs(finite) < 1e6]
        widest = [float(finite.max()), float(finite.min())]
        widest += [float(plain.max()), float(plain.min())] if plain.size else []
        most = self._most_decimals(values)
        for decimals in range(most, min(most, 1) - 1, -1):
            texts = (_plain_text(value, decimals) for value in widest)
            if max(map(len, texts)) <= letters:
                return decimals
        return None

    def _most_decimals(self, values: Array) -> int:
        # The whole step decides, but a window of it can already settle it.
        if decimals_for(values, MOST_DECIMALS) == MOST_DECIMALS:
            return MOST_DECIMALS
        if self._decimals_of_step is None:
            assert self._content is not None
            whole = self._content.matrix.window()  # (rows, columns)
            self._decimals_of_step = decimals_for(whole, MOST_DECIMALS)
        return self._decimals_of_step


def _plain_text(value: float, decimals: int) -> str:
    """Write a number like `format_number`, but a small one without exponent."""
    small = abs(value) <= 0.5 * 10.0**-decimals
    return format_number(math.copysign(0.0, value) if small else value, decimals)


def _short_text(value: float, decimals: int, letters: int) -> str:
    text = fitted_number(value, decimals, letters)
    # Only a true zero may look like zero.
    return "≈0" if len(text) > letters and 0 < abs(value) < 1 else text


@cache
def _ink(code: int) -> str:
    channels = np.array([code >> 16, code >> 8 & 255, code & 255], dtype=np.uint8)
    return ink_on(channels).name()


def _runs(flags: BoolArray) -> list[tuple[int, int]]:
    """Return where runs of true flags start, and where they have ended."""
    edges = np.flatnonzero(np.diff(flags, prepend=False, append=False))
    return [(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]
