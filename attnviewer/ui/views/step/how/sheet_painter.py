"""Painting the matrices of a picture."""

import math
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen, QRegion

from attnviewer.compute import BoolArray
from attnviewer.ui.paint.color_scale import Rgb
from attnviewer.ui.paint.colors import INKS, rgb, wants_light_ink
from attnviewer.ui.paint.pin_mark import has_room, inks_on, paint_mark
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.views.step.how.drawing import Sheet
from attnviewer.ui.views.step.how.measures import number_face_in

if TYPE_CHECKING:
    from attnviewer.ui.paint.number_face import Placed

FRAME, HALO = 3.0, 7.0
RADIUS = 5.0
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
        self.exposed: QRegion | None = None
        """The part of the device whose cells are painted; None for all of it."""

    def cells(self, sheet: Sheet) -> None:
        """Paint the cells of a matrix with their numbers and marks."""
        colors = _dimmed(sheet, self._theme)
        painter = self._painter
        radius = 2.0 if sheet.gap > 1 else 0.0
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, radius > 0)
        painter.setPen(Qt.PenStyle.NoPen)
        empty, outline = QColor(self._theme.empty), QColor(self._theme.border)
        rows, columns = self._lines_of(sheet)
        for row in rows:
            for column in columns:
                rect = sheet.cell_rect(row, column)
                if sheet.empty is not None and sheet.empty[row, column]:
                    painter.fillRect(rect, empty)
                    continue
                color = QColor(*colors[row, column].tolist())
                if radius:
                    painter.setBrush(color)
                    painter.drawRoundedRect(rect, radius, radius)
                else:
                    painter.fillRect(rect, color)
                if sheet.hidden is not None and sheet.hidden[row, column]:
                    painter.setPen(QPen(outline, 1))
                    painter.setBrush(Qt.BrushStyle.NoBrush)
                    painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5))
                    painter.setPen(Qt.PenStyle.NoPen)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if sheet.texts:
            self._numbers(sheet, colors)
        if sheet.pinned is not None:
            self._pins(sheet, sheet.pinned, colors)

    def _pins(self, sheet: Sheet, pinned: BoolArray, colors: Rgb) -> None:
        if not has_room(sheet.cell, sheet.cell):
            return
        there = pinned if sheet.empty is None else pinned & ~sheet.empty
        places = np.argwhere(there).tolist()
        for place, ink in zip(places, inks_on(colors[there]), strict=True):
            paint_mark(self._painter, sheet.cell_rect(*place), ink)

    def _numbers(self, sheet: Sheet, colors: Rgb) -> None:
        light = wants_light_ink(colors).tolist()
        rows, columns = self._lines_of(sheet)
        left, top, cell = sheet.rect.left(), sheet.rect.top(), sheet.cell
        side = cell - sheet.gap
        inked: tuple[list[Placed], list[Placed]] = [], []
        for row in rows:
            line = sheet.texts[row]
            for column in columns:
                number = line[column]
                if not number:
                    continue
                if sheet.empty is not None and sheet.empty[row, column]:
                    continue
                box = left + column * cell, top + row * cell, side, side, number
                inked[light[row][column]].append(box)
        face = number_face_in(self._font, sheet.size)
        for ink, placed in zip(INKS, inked, strict=True):
            if placed:
                self._painter.setPen(ink)
                face.write(self._painter, placed)

    def _lines_of(self, sheet: Sheet) -> tuple[range, range]:
        """Return the drawn rows and columns of a matrix that are painted."""
        down, across = sheet.shape
        if self.exposed is None:
            return range(down), range(across)
        here = self.exposed.intersected(sheet.rect.toAlignedRect()).boundingRect()
        left, top, cell = sheet.rect.left(), sheet.rect.top(), sheet.cell
        return (
            _lines(here.top() - top, here.bottom() + 1 - top, cell, down),
            _lines(here.left() - left, here.right() + 1 - left, cell, across),
        )

    def frame(self, sheet: Sheet) -> None:
        """Paint the frames of the selection in a matrix."""
        painter = self._painter
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if sheet.lane is not None and sheet.lit != (None, None):
            rect = sheet.line_rect(*sheet.lit)
            painter.setPen(QPen(QColor(getattr(self._theme, sheet.lane)), FRAME))
            painter.drawRoundedRect(_grown(rect, sheet.gap / 2), RADIUS, RADIUS)
        if sheet.framed is not None:
            rect = _grown(sheet.cell_rect(*sheet.framed), sheet.gap / 2)
            for color, width in (
                (self._theme.halo, HALO),
                (self._theme.frame, FRAME),
            ):
                painter.setPen(QPen(QColor(color), width))
                painter.drawRoundedRect(rect, RADIUS, RADIUS)


def _lines(start: float, stop: float, cell: float, count: int) -> range:
    """Return which of so many cells beside each other reach into a stretch."""
    if cell <= 0:  # in a picture without room for a single pixel of a cell
        return range(0)
    first, last = math.floor(start / cell), math.ceil(stop / cell)
    return range(min(max(first, 0), count), min(max(last, 0), count))


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


def _grown(rect: QRectF, by: float) -> QRectF:
    return rect.adjusted(-by, -by, by, by)
