"""Matrices as tables: with numbers, or with blanks to write in."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter, QPen

from attnviewer.document.derivation import symbols_latex
from attnviewer.teaching.sheets.sheet import Blank, Cell, Table
from attnviewer.ui.sheets.boxes import BLACK, Box
from attnviewer.ui.sheets.lines import Line, formula_line, text_line
from attnviewer.ui.sheets.measures import (
    BLANK_HEIGHT,
    BLANK_WIDTH,
    DEPTH,
    LINE,
    MILLIMETRE,
    ROOM,
    SIZES,
    faces,
)

_AROUND = 1.6 * MILLIMETRE
"""Beside a number or a label."""
_MOST_LABEL = 32 * MILLIMETRE
_NAME_GAP = 1.2 * MILLIMETRE


@dataclass(frozen=True, slots=True)
class TableBox(Box):
    """A matrix, or as many rows and columns of it as fit.

    Parameters
    ----------
    name : Line
        What stands above it.
    row_labels, column_labels : tuple of Line
        Its labels.
    cells : mapping of (int, int) to Line
        What is written in cells, by their place in this table.
    blanks : frozenset of (int, int)
        The cells with a frame.
    widths : tuple of float
        The widths of the columns.
    label_width, row_height : float
        The width of the row labels' column, and the height of a row.
    """

    name: Line
    row_labels: tuple[Line, ...]
    column_labels: tuple[Line, ...]
    cells: Mapping[Cell, Line]
    blanks: frozenset[Cell]
    widths: tuple[float, ...]
    label_width: float
    row_height: float

    @property
    def width(self) -> float:  # type: ignore[override]
        """Its width, or that of its name."""
        return max(self.label_width + sum(self.widths), self.name.width)

    @property
    def height(self) -> float:  # type: ignore[override]
        """Its height, with its name and its column labels."""
        return self._top + len(self.row_labels) * self.row_height

    @property
    def _top(self) -> float:
        labels = max(line.height for line in self.column_labels)
        return self.name.height + _NAME_GAP + labels + _NAME_GAP

    def blank(self, cell: Cell) -> QRectF:
        """Return the frame of a cell, from the table's upper left corner."""
        row, column = cell
        left = self.label_width + sum(self.widths[:column])
        top = self._top + row * self.row_height
        return QRectF(left, top, self.widths[column], self.row_height)

    def paint(self, painter: QPainter, x: float, top: float) -> None:
        self.name.paint(painter, x, top)
        labels = top + self.name.height + _NAME_GAP
        left = x + self.label_width
        for line, width in zip(self.column_labels, self.widths, strict=True):
            line.paint(painter, left + (width - line.width) / 2, labels)
            left += width
        painter.setPen(QPen(BLACK, LINE))
        body = top + self._top
        end = body + len(self.row_labels) * self.row_height
        painter.drawLine(QPointF(x, body), QPointF(left, body))
        edge = x + self.label_width
        painter.drawLine(QPointF(edge, labels), QPointF(edge, end))
        for place, line in enumerate(self.row_labels):
            down = body + place * self.row_height
            at = edge - line.width - _AROUND
            line.paint(painter, at, down + (self.row_height - line.height) / 2)
        for cell in self.blanks:
            painter.drawRect(self.blank(cell).translated(x, top))
        for cell, line in self.cells.items():
            frame = self.blank(cell).translated(x, top)
            at = frame.left() + (frame.width() - line.width) / 2
            if cell not in self.blanks:
                at = frame.right() - line.width - _AROUND
            line.paint(painter, at, frame.center().y() - line.height / 2)


def tables_of(
    table: Table, blanks: Mapping[Cell, Blank] | None = None, *, key: bool = False
) -> Iterator[TableBox]:
    """Yield a table, in several where it is wider or higher than a page.

    Parameters
    ----------
    table : Table
        The table.
    blanks : mapping of (int, int) to Blank, optional
        The cells to write in.
    key : bool
        Whether they are filled in.
    """
    asked = blanks or {}
    texts = dict(table.cells)
    if key:
        texts |= {cell: blank.text for cell, blank in asked.items()}
    small, usual = faces(SIZES.small), faces(SIZES.text)
    cells = {
        cell: text_line(text.replace("-", "−"), usual, ROOM / 4)
        for cell, text in texts.items()
    }
    row_labels = [text_line(label, small, _MOST_LABEL) for label in table.rows]
    column_labels = [text_line(label, small, _MOST_LABEL) for label in table.columns]
    label_width = max(line.width for line in row_labels) + 2 * _AROUND
    widths = _widths(table, column_labels, cells, asked)
    height = (
        BLANK_HEIGHT
        if asked
        else 1.25 * max(line.height for line in row_labels + list(cells.values()))
    )
    most_rows = int((DEPTH - 30 * MILLIMETRE) // height)
    bands = list(_bands(widths, ROOM - label_width))
    for first in range(0, len(row_labels), most_rows):
        rows = range(first, min(first + most_rows, len(row_labels)))
        for columns in bands:
            places = {
                (row, column): (row - rows.start, column - columns.start)
                for row in rows
                for column in columns
            }
            yield TableBox(
                _name(table.name),
                tuple(row_labels[rows.start : rows.stop]),
                tuple(column_labels[columns.start : columns.stop]),
                {places[cell]: line for cell, line in cells.items() if cell in places},
                frozenset(places[cell] for cell in asked if cell in places),
                tuple(widths[columns.start : columns.stop]),
                label_width,
                height,
            )


def _widths(
    table: Table,
    labels: Sequence[Line],
    cells: Mapping[Cell, Line],
    asked: Mapping[Cell, Blank],
) -> list[float]:
    """Return how wide each column is; those with blanks are all as wide."""
    widths = [line.width + 2 * _AROUND for line in labels]
    for (_, column), line in cells.items():
        widths[column] = max(widths[column], line.width + 2 * _AROUND)
    if asked:
        return [max(BLANK_WIDTH, *widths)] * len(widths)
    return widths


def _bands(widths: Sequence[float], room: float) -> Iterator[range]:
    """Yield the columns that fit beside each other."""
    first, used = 0, 0.0
    for column, width in enumerate(widths):
        if used + width > room and column > first:
            yield range(first, column)
            first, used = column, 0.0
        used += width
    yield range(first, len(widths))


def _name(name: str) -> Line:
    step, comma, head = name.partition(",")
    latex = symbols_latex(step)
    if comma:
        latex = rf"{latex}\text{{,{head}}}"
    return formula_line(latex, faces(SIZES.text), ROOM)
