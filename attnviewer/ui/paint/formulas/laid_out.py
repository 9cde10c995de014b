"""Lines of spans that are broken to a width, as they are painted."""

from functools import lru_cache

from PySide6.QtCore import QPointF
from PySide6.QtGui import (
    QColor,
    QFont,
    QPainter,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)

from attnviewer.compute import Cell
from attnviewer.ui.paint.formulas.spans import Line, Span, line_text


class LaidOut:
    """A line of spans, broken into as many as it needs.

    Parameters
    ----------
    line : tuple of Span
        What it says.
    font : QFont
        Its font.
    width : float
        How wide it may be, in pixels.
    option : QTextOption
        Where it may be broken.
    spacing : float
        Height from one line to the next, as a share of the font's.
    hanging : float
        Pixels by which each line but the first stands further in.

    Attributes
    ----------
    line : tuple of Span
        What it says.
    width, height : float
        Its size, in pixels.
    """

    __slots__ = "_layout", "height", "line", "width"

    def __init__(
        self,
        line: Line,
        font: QFont,
        width: float,
        option: QTextOption,
        *,
        spacing: float = 1.0,
        hanging: float = 0.0,
    ) -> None:
        self.line, self.width = line, width
        self._layout = layout = QTextLayout(line_text(line), font)
        layout.setTextOption(option)
        layout.setFormats(_formats(tuple(map(_look, line))))
        layout.setCacheEnabled(True)  # or each paint would shape the letters anew
        layout.beginLayout()
        indent = top = 0.0
        while (part := layout.createLine()).isValid():
            part.setLineWidth(max(width - indent, 1.0))
            part.setPosition(QPointF(indent, top))
            # In 64ths of a pixel, as Qt's documents reckon.
            top += int(64 * spacing * part.height()) / 64
            indent = hanging
        layout.endLayout()
        self.height = top

    def draw(self, painter: QPainter, left: float, top: float) -> None:
        """Paint it from a point on, what has no colour with the painter's pen."""
        self._layout.draw(painter, QPointF(left, top))

    def cell_at(self, x: float, y: float) -> Cell | None:
        """Return the cell of the span at a point."""
        for number in range(self._layout.lineCount()):
            part = self._layout.lineAt(number)
            if part.naturalTextRect().contains(x, y):
                letter = part.xToCursor(x, part.CursorPosition.CursorOnCharacter)
                return _at_letter(self.line, letter)
        return None


_Look = tuple[int, str, bool, bool]
"""How long a span is, its colour, and whether it is bold and underlined."""


def _look(span: Span) -> _Look:
    text, color, bold, cell = span
    return len(text), color, bold, cell is not None


@lru_cache(maxsize=256)  # other numbers look the same
def _formats(looks: tuple[_Look, ...]) -> list[QTextLayout.FormatRange]:
    start, formats = 0, []
    for length, color, bold, underlined in looks:
        if color or bold:
            there = QTextLayout.FormatRange()
            there.start, there.length = start, length
            there.format = _format(color, bold, underlined)
            formats.append(there)
        start += length
    return formats


@lru_cache(maxsize=64)
def _format(color: str, bold: bool, underlined: bool) -> QTextCharFormat:
    format_ = QTextCharFormat()
    if color:
        format_.setForeground(QColor(color))
    if bold:
        format_.setFontWeight(QFont.Weight.Bold)
    if underlined:
        format_.setFontUnderline(True)
    return format_


def _at_letter(line: Line, letter: int) -> Cell | None:
    for span in line:
        letter -= len(span.text)
        if letter < 0:
            return span.cell
    return None
