"""Draws thousands of numbers at once, from prerendered characters."""

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter

from attnviewer.ui.views.step.heatmap.number_codes import CHARACTERS, NumberCodes

Pixels = NDArray[np.uint32]
"""Premultiplied ARGB, which Qt blends fastest."""


class Glyphs:
    """The characters of a font as pixels, split into halves.

    Half characters are the unit in which numbers of any length are centred.

    Parameters
    ----------
    font : QFont
        A font whose characters are all of one width.
    ratio : float
        Device pixel ratio of the screen.
    inks : sequence of str
        Names of the text colours.
    """

    def __init__(self, font: QFont, ratio: float, inks: Sequence[str]) -> None:
        metrics = QFontMetricsF(font)
        self.half = half_width(font, ratio)
        self.height = math.ceil(metrics.height() * ratio)
        width, count = 2 * self.half, len(CHARACTERS)
        self._count = 2 * count
        # (height, inks · halves, half): of each ink, line by line.
        lines = np.empty((self.height, len(inks), self._count, self.half), np.uint32)
        for number, ink in enumerate(inks):
            sheet = QImage(
                width * count, self.height, QImage.Format.Format_ARGB32_Premultiplied
            )
            sheet.setDevicePixelRatio(ratio)
            sheet.fill(0)
            painter = QPainter(sheet)
            painter.setFont(font)
            painter.setPen(QColor(ink))
            for index, character in enumerate(CHARACTERS):
                free = width / ratio - metrics.horizontalAdvance(character)
                x = index * width / ratio + free / 2
                painter.drawText(QPointF(x, metrics.ascent()), character)
            painter.end()
            pixels = np.frombuffer(sheet.constBits(), np.uint32)
            lines[:, number] = pixels.reshape(self.height, self._count, self.half)
        self._lines = lines.reshape(self.height, -1, self.half)

    def advance(self, ratio: float) -> float:
        """Return the width of a character."""
        return 2 * self.half / ratio

    def compose(
        self,
        written: NumberCodes,
        inks: NDArray[np.integer],
        lefts: NDArray[np.intp],
    ) -> Pixels:
        """Draw numbers in their cells.

        Parameters
        ----------
        written : NumberCodes
            The numbers, row by row.
        inks : ndarray of int, shape (rows, columns)
            Index of the colour of each.
        lefts : ndarray of int, shape (columns,)
            Left edge of the texts of each column, in pixels, ascending from 0.

        Returns
        -------
        ndarray of uint32, shape (rows, height, width)
            A strip of pixels per row of cells.
        """
        letters = written.codes.shape[1]
        halves = self._halves(written, inks)  # (rows, columns, 2 letters)
        wide = 2 * letters * self.half
        n_rows = len(halves)
        pixels = np.zeros((n_rows, self.height, int(lefts[-1]) + wide), np.uint32)
        # One array for all columns: fresh memory costs more than filling it.
        inked = np.empty((self.height, n_rows, 2 * letters, self.half), np.uint32)
        texts = inked.reshape(self.height, n_rows, wide).swapaxes(0, 1)
        for column, left in enumerate(lefts.tolist()):
            self._lines.take(halves[:, column], axis=1, out=inked, mode="clip")
            pixels[:, :, left : left + wide] = texts
        return pixels

    def _halves(
        self, written: NumberCodes, inks: NDArray[np.integer]
    ) -> NDArray[np.intp]:
        """Return the half characters of each cell, with the numbers centred."""
        codes = written.codes.astype(np.intp)  # (n, letters)
        count, letters = codes.shape
        flat = np.zeros((count, 3 * letters), np.intp)
        flat[:, 0 : 2 * letters : 2] = 2 * codes
        flat[:, 1 : 2 * letters : 2] = 2 * codes + (codes > 0)
        spaces = letters - written.lengths  # (n,)
        moved = np.arange(2 * letters) + spaces[:, np.newaxis]
        centred = np.take_along_axis(flat, moved, axis=1)
        centred += inks.reshape(-1, 1) * self._count
        return centred.reshape(*inks.shape, -1)


def half_width(font: QFont, ratio: float) -> int:
    """Return half the width of a character, in device pixels.

    Rounded, as digits have space on both sides.
    """
    advance = QFontMetricsF(font).horizontalAdvance("0")
    return max(1, round(advance * ratio / 2))


@lru_cache(maxsize=32)
def glyphs_of(family: str, pixels: int, ratio: float, inks: tuple[str, ...]) -> Glyphs:
    """Return the characters of a font, drawn once."""
    font = QFont(family)
    font.setPixelSize(pixels)
    return Glyphs(font, ratio, inks)
