"""The numbers of the visible cells, rendered for drawing."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFont, QImage, QPainter

from attnviewer.ui.paint.colors import INKS
from attnviewer.ui.paint.paper import for_paper
from attnviewer.ui.views.step.heatmap.cell_grid import CellGrid, changed_rows
from attnviewer.ui.views.step.heatmap.glyphs import Pixels
from attnviewer.ui.views.step.heatmap.number_codes import NumberCodes
from attnviewer.ui.views.step.heatmap.picture import Span


@dataclass(frozen=True, slots=True, eq=False)
class NumberLayer:
    """The numbers of the visible cells, rendered for drawing.

    Parameters
    ----------
    grid : CellGrid
        The cells.
    ratio : float
        Device pixel ratio of the screen.
    written : NumberCodes or None
        The numbers; None where they do not fit.
    inks : ndarray of int, shape (rows, columns), or None
        Colour of each, as an index into `INKS`.
    font : QFont or None
        The font of the numbers.
    strips : ndarray of uint32, shape (rows, height, width)
        Pixels, a strip per row of cells.
    left : int
        Left edge of the strips, in device pixels.
    tops : tuple of int
        Top edge of each strip, in device pixels.
    exponent : int
        The power of ten that the numbers are divided by.
    """

    grid: CellGrid
    ratio: float
    written: NumberCodes | None = None
    inks: NDArray[np.intp] | None = None
    font: QFont | None = None
    strips: Pixels | None = None
    left: int = 0
    tops: tuple[int, ...] = ()
    exponent: int = 0

    def changed_since(self, before: "NumberLayer") -> Span:
        """Return the first row that looks different, and the one after the last."""
        written = self.written, before.written
        if written == (None, None):
            return 0, 0
        alike = (self.grid, self.font, self.left) == (
            before.grid,
            before.font,
            before.left,
        )
        codes, older = (None if w is None else w.codes for w in written)
        if not alike or codes is None or older is None or codes.shape != older.shape:
            return self.grid.rows
        assert self.inks is not None
        assert before.inks is not None
        shape = self.grid.n_rows, -1
        spans = (
            changed_rows(older.reshape(shape), codes.reshape(shape)),
            changed_rows(before.inks, self.inks),
        )
        found = [span for span in spans if span[0] < span[1]]
        if not found:
            return 0, 0
        first = self.grid.rows[0]
        return first + min(found)[0], first + max(stop for _, stop in found)

    def paint(self, painter: QPainter, rows: Span) -> None:
        """Draw the numbers of some rows."""
        if for_paper():
            self._paint_letters(painter)
            return
        if self.strips is None:
            return
        n_rows, height, width = self.strips.shape
        kind = QImage.Format.Format_ARGB32_Premultiplied
        image = QImage(self.strips.data, width, n_rows * height, kind)
        left, size = self.left / self.ratio, (width / self.ratio, height / self.ratio)
        first = self.grid.rows[0]
        for row in range(rows[0] - first, rows[1] - first):
            rect = QRectF(left, self.tops[row] / self.ratio, *size)
            source = QRectF(0, row * height, width, height)
            painter.drawImage(rect, image, source)

    def _paint_letters(self, painter: QPainter) -> None:
        if self.written is None or self.inks is None or self.font is None:
            return
        painter.setFont(self.font)
        texts = iter(self.written.all_texts())
        for row, inks in enumerate(self.inks.tolist(), self.grid.rows[0]):
            for column, ink in enumerate(inks, self.grid.columns[0]):
                text = next(texts)
                if text:
                    painter.setPen(INKS[ink])
                    cell = self.grid.rect(row, column)
                    painter.drawText(cell, Qt.AlignmentFlag.AlignCenter, text)
