"""The row and the column of a cell as curves along the edges of the heatmap."""

import numpy as np
from PySide6.QtCore import QObject, QRectF, QTimer, Slot
from PySide6.QtGui import QFont, QFontMetricsF

from attnviewer.ui.paint.step_content import StepContent
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.state.folded_lines import FoldedLines, numbered
from attnviewer.ui.state.selection import Position
from attnviewer.ui.views.step.heatmap.arrangement import APART
from attnviewer.ui.views.step.heatmap.picture import OVERSIZE
from attnviewer.ui.views.step.heatmap.profile import Line, Profile

HIGH = 2.0
"""Height of a curve, in lines of text."""
DELAY_MS = 20
"""How long the pointer stays on a cell before its lines are read."""


class Profiles(QObject):
    """Draws the exact row and column of the cell under the pointer, or selected.

    Of matrices with many rows and columns, where cells are small.

    Attributes
    ----------
    row, column : Profile
        The curves, below the cells and to the right of them.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.row, self.column = Profile("bottom"), Profile("right")
        self._wanted = False
        self._content: StepContent | None = None
        self._cell: Position | None = None
        self._timer = QTimer(self, singleShot=True, interval=DELAY_MS)
        self._timer.timeout.connect(self._read)

    @property
    def wanted(self) -> bool:
        """Whether they are shown where they help."""
        return self._wanted

    def set_wanted(self, wanted: bool) -> None:
        """Show them where they help, or never."""
        self._wanted = wanted
        self._later()

    def extent(self, shape: tuple[int, int]) -> float:
        """Return the height of a curve beside cells of a matrix; 0 for none."""
        if not self._wanted or min(shape) <= OVERSIZE:
            return 0.0
        return round(APART + HIGH * QFontMetricsF(self.row.font()).height())

    def show_content(self, content: StepContent) -> None:
        """Show the lines of another matrix."""
        self._content = content
        self._later()

    def forget(self) -> None:
        """Release the matrix; the curves stay."""
        self._timer.stop()
        self._content = None

    def point(self, cell: Position | None) -> None:
        """Show the lines of a cell, or none."""
        if cell != self._cell:
            self._cell = cell
            self._later()

    def set_theme(self, theme: Theme) -> None:
        """Apply the colours of a theme."""
        self.row.set_theme(theme)
        self.column.set_theme(theme)

    def set_font(self, font: QFont) -> None:
        """Set the font."""
        self.row.setFont(font)
        self.column.setFont(font)

    def set_sight(self, sight: QRectF) -> None:
        """Set the visible part of the matrix, in cells."""
        self.row.set_range(sight.left(), sight.right())
        self.column.set_range(sight.top(), sight.bottom())

    def place(self, cells: QRectF, extent: float) -> None:
        """Set the geometry beside the cells."""
        high = max(0.0, extent - APART)
        self.row.setGeometry(cells.left(), cells.bottom() + APART, cells.width(), high)
        self.column.setGeometry(
            cells.right() + APART, cells.top(), high, cells.height()
        )
        for curve in (self.row, self.column):
            curve.setVisible(extent > 0)

    def _later(self) -> None:
        if self._content is not None and self.extent(self._content.shape):
            self._timer.start()

    @Slot()
    def _read(self) -> None:
        content, cell = self._content, self._cell
        assert content is not None
        rows, columns = content.shape
        if cell is None or cell[0] >= rows or cell[1] >= columns:
            self.row.set_line(None)
            self.column.set_line(None)
            return
        down, across = (slice(place, place + 1) for place in cell)
        self.row.set_line(_line(content, down, slice(0, columns)))
        self.column.set_line(_line(content, slice(0, rows), across))


def _line(content: StepContent, rows: slice, columns: slice) -> Line:
    of_row = rows.stop - rows.start == 1
    names, others = content.row_labels, content.column_labels
    place = rows.start
    if not of_row:
        names, others, place = others, names, columns.start
    values = hidden = None
    if of_row or _knows_columns(content):
        values = content.matrix.window(rows, columns).ravel()  # (n,)
        hidden = content.matrix.hidden(rows, columns)
        if hidden is not None:
            hidden = hidden.ravel()  # (n,)
            values = np.where(hidden, np.nan, values)
    lines = FoldedLines(content.folding)

    def name_of(cell: int) -> str:
        return numbered(others[cell], lines.number(cell, rows=not of_row))

    name = numbered(names[place], lines.number(place, rows=of_row))
    return Line(name, values, hidden, name_of, content.scale, content.signed)


def _knows_columns(content: StepContent) -> bool:
    """Return whether a column takes no more than its own numbers.

    A weight takes all scores of its row, which are read with the overview.
    """
    return (
        not content.is_weights
        or content.overview is None
        or content.overview.share == 1
    )
