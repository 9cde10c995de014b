"""Lines of spans, wrapped to a width and painted."""

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
    """A line of spans, wrapped to a width.

    Parameters
    ----------
    line : tuple of Span
        The spans.
    font : QFont
        Its font.
    width : float
        The most width, in pixels.
    option : QTextOption
        How it may be wrapped.
    spacing : float
        Distance of lines, as a multiple of the font's line spacing.
    hanging : float
        Indent of every line but the first, in pixels.

    Attributes
    ----------
    line : tuple of Span
        The spans.
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
        layout.setCacheEnabled(True)  # otherwise each paint would shape the text again
        layout.beginLayout()
        indent = top = 0.0
        while (part := layout.createLine()).isValid():
            part.setLineWidth(max(width - indent, 1.0))
            part.setPosition(QPointF(indent, top))
            # In 64ths of a pixel, as in Qt's text documents.
            top += int(64 * spacing * part.height()) / 64
            indent = hanging
        layout.endLayout()
        self.height = top

    def draw(self, painter: QPainter, left: float, top: float) -> None:
        """Paint it at a point; spans without a colour use the painter's pen."""
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
"""A span's length, its colour, and whether it is bold and underlined."""


def _look(span: Span) -> _Look:
    text, color, bold, cell = span
    return len(text), color, bold, cell is not None


@lru_cache(maxsize=256)  # other numbers have the same format
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
