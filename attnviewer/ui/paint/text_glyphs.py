"""Lines of text that are laid out once and painted many times."""

import math

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import (
    QFont,
    QGlyphRun,
    QGuiApplication,
    QPainter,
    QTextLayout,
    QTextOption,
)

FIXED = 64
"""Qt places texts at multiples of this fraction of a pixel, rounded towards zero."""


def text_glyphs(text: str, font: QFont) -> QGlyphRun | None:
    """Return the glyphs of a line of text, whose baseline begins at (0, 0).

    Laying a text out takes Qt several times as long as painting it. None where other
    fonts stand in, whose glyphs it places between pixels.
    """
    # As a painter does: digits of the application's font are equally wide.
    layout = QTextLayout(text, font.resolve(QGuiApplication.font()))
    option = QTextOption()
    option.setTextDirection(Qt.LayoutDirection.LeftToRight)
    layout.setTextOption(option)
    layout.beginLayout()
    line = layout.createLine()
    line.setLineWidth(math.inf)
    layout.endLayout()
    runs = layout.glyphRuns()
    if len(runs) != 1:
        return None
    (run,), down = runs, QPointF(0, line.ascent())
    run.setPositions([place - down for place in run.positions()])
    return run


def paint_glyphs(painter: QPainter, at: QPointF, glyphs: QGlyphRun) -> None:
    """Paint a line as `QPainter.drawText` paints its text, from left to right."""
    painter.drawGlyphRun(QPointF(int(at.x() * FIXED) / FIXED, at.y()), glyphs)
