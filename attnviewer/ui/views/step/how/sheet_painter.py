"""Painting the matrices of a picture."""

import math
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath, QPen

from attnviewer.compute import BoolArray
from attnviewer.ui.paint.color_scale import Rgb
from attnviewer.ui.paint.colors import INKS, rgb, wants_light_ink
from attnviewer.ui.paint.pin_mark import has_room, inks_on, paint_mark
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.views.step.how.drawing import Sheet
from attnviewer.ui.views.step.how.measures import number_face_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attnviewer.ui.paint.number_face import Placed

Tiles: TypeAlias = list[list[QPainterPath]]

FRAME, HALO = 3.0, 7.0
RADIUS, ROUNDED = 5.0, 2.0
"""The radius of the corners of frames, and of large cells."""
DIMMED = 0.5
"""Share of its colour that a cell keeps that does not belong to the selection."""


class SheetPainter:
    """Paints matrices in a theme.

    Parameters
    ----------
    painter : QPainter
        An active painter.
    theme : Theme
        The colours.
    font : QFont
        The font of texts.
    """

    def __init__(self, painter: QPainter, theme: Theme, font: QFont) -> None:
        self._painter = painter
        self._theme = theme
        self._font = font
        self.exposed: Sequence[Sequence[float]] | None = None
        """Left, top, right and bottom of the parts of the device whose cells are
        painted; None for all of it."""

    def cells(self, sheet: Sheet) -> None:
        """Paint the cells of a matrix with their numbers and marks."""
        seen, painter = self._seen(sheet), self._painter
        rounded = sheet.gap > 1
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, rounded)
        if sheet.empty is not None:
            for place in np.argwhere(seen & sheet.empty).tolist():
                painter.fillRect(sheet.cell_rect(*place), QColor(self._theme.empty))
            seen &= ~sheet.empty
        places = np.argwhere(seen).tolist()
        colors = _dimmed(sheet, self._theme)
        drawn = colors[seen]  # (n_seen, 3)
        for (row, column), color in zip(places, drawn.tolist(), strict=True):
            if rounded:
                painter.fillPath(_tiles_of(sheet)[row][column], _color(*color))
            else:
                painter.fillRect(sheet.cell_rect(row, column), _color(*color))
        if sheet.hidden is not None:
            painter.setPen(QPen(QColor(self._theme.border), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            for place in np.argwhere(seen & sheet.hidden).tolist():
                painter.drawRect(grown(sheet.cell_rect(*place), -0.5))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if sheet.texts:
            self._numbers(sheet, places, drawn)
        if sheet.pinned is not None:
            self._pins(sheet, sheet.pinned, colors)

    def _pins(self, sheet: Sheet, pinned: BoolArray, colors: Rgb) -> None:
        if not has_room(sheet.cell, sheet.cell):
            return
        there = pinned if sheet.empty is None else pinned & ~sheet.empty
        places = np.argwhere(there).tolist()
        for place, ink in zip(places, inks_on(colors[there]), strict=True):
            paint_mark(self._painter, sheet.cell_rect(*place), ink)

    def _numbers(self, sheet: Sheet, places: list[list[int]], colors: Rgb) -> None:
        """Paint the numbers of some cells, whose colours have the shape (n, 3)."""
        left, top, cell = sheet.rect.left(), sheet.rect.top(), sheet.cell
        side = cell - sheet.gap
        inked: tuple[list[Placed], list[Placed]] = [], []
        light = wants_light_ink(colors).tolist()
        for (row, column), is_light in zip(places, light, strict=True):
            number = sheet.texts[row][column]
            if number:
                box = left + column * cell, top + row * cell, side, side, number
                inked[is_light].append(box)
        face = number_face_in(self._font, sheet.size)
        for ink, placed in zip(INKS, inked, strict=True):
            if placed:
                self._painter.setPen(ink)
                face.write(self._painter, placed)

    def _seen(self, sheet: Sheet) -> BoolArray:
        """Return which cells of a matrix reach into the exposed parts."""
        if self.exposed is None:
            return np.ones(sheet.shape, np.bool_)
        seen = np.zeros(sheet.shape, np.bool_)  # (down, across)
        (down, across), cell = sheet.shape, sheet.cell
        x, y = sheet.rect.left(), sheet.rect.top()
        for left, top, right, bottom in self.exposed:
            if right <= x or left >= sheet.rect.right():  # such as where bars are
                continue
            rows = _lines(top - y, bottom - y, cell, down)
            seen[rows, _lines(left - x, right - x, cell, across)] = True
        return seen

    def frame(self, sheet: Sheet) -> None:
        """Paint the frames of the selection in a matrix."""
        painter = self._painter
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if sheet.lane is not None and sheet.lit != (None, None):
            rect = sheet.line_rect(*sheet.lit)
            painter.setPen(QPen(QColor(getattr(self._theme, sheet.lane)), FRAME))
            painter.drawRoundedRect(grown(rect, sheet.gap / 2), RADIUS, RADIUS)
        if sheet.framed is not None:
            rect = grown(sheet.cell_rect(*sheet.framed), sheet.gap / 2)
            for color, width in (
                (self._theme.halo, HALO),
                (self._theme.frame, FRAME),
            ):
                painter.setPen(QPen(QColor(color), width))
                painter.drawRoundedRect(rect, RADIUS, RADIUS)


@lru_cache(maxsize=1024)
def _color(red: int, green: int, blue: int) -> QColor:
    return QColor(red, green, blue)


def _tiles_of(sheet: Sheet) -> Tiles:
    corner = sheet.rect.topLeft().toTuple()
    return _tiles(corner, sheet.cell, sheet.cell - sheet.gap, sheet.shape)


# They are the same after each edit.
@lru_cache(maxsize=8)
def _tiles(
    corner: tuple[float, float], cell: float, side: float, shape: tuple[int, int]
) -> Tiles:
    """Return the outlines of cells with round corners, row by row."""
    left, top = corner
    paths = [[QPainterPath() for _ in range(shape[1])] for _ in range(shape[0])]
    for row, column in np.ndindex(shape):
        rect = QRectF(left + column * cell, top + row * cell, side, side)
        paths[row][column].addRoundedRect(rect, ROUNDED, ROUNDED)
    return paths


def _lines(start: float, stop: float, cell: float, count: int) -> slice:
    """Return which of so many cells beside each other reach into a stretch."""
    if cell <= 0:  # in a picture without room for a single pixel of a cell
        return slice(0)
    first, last = math.floor(start / cell), math.ceil(stop / cell)
    return slice(min(max(first, 0), count), min(max(last, 0), count))


def _dimmed(sheet: Sheet, theme: Theme) -> Rgb:
    """Return the colours with cells that are not lit mixed with the ground."""
    if not sheet.dims:
        return sheet.colors
    row, column = sheet.lit
    faded = np.ones(sheet.shape, np.bool_)
    if row is not None:
        faded[row] = False
    if column is not None:
        faded[:, column] = False
    ground = np.array(rgb(theme.stage))
    colors = sheet.colors.copy()
    colors[faded] = (colors[faded] * DIMMED + ground * (1 - DIMMED)).round()
    return colors


def grown(rect: QRectF, by: float) -> QRectF:
    """Return a rectangle that is larger on each side."""
    return rect.adjusted(-by, -by, by, by)
