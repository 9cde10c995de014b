"""The table of a matrix within a picture, where it is an operand."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QKeyEvent, QPainter
from PySide6.QtWidgets import QAbstractItemView, QWidget

from attnviewer.document import Region
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.text.matrix_numbers import picture_number
from attnviewer.ui.views.inputs.matrix.model import MatrixModel
from attnviewer.ui.views.inputs.matrix.painting import MatrixPainter
from attnviewer.ui.views.inputs.matrix.table import MatrixTable
from attnviewer.ui.widgets.reason import ReasonBubble

_BESIDE_TEXT = 2


class OperandTable(MatrixTable):
    """A table without headings whose cells have the size of those of a picture.

    It is edited like the matrix in its dock, with which it shares its selection.
    """

    def __init__(
        self, model: MatrixModel, reason: ReasonBubble, parent: QWidget
    ) -> None:
        self._cell = 40
        super().__init__(model, reason, parent)
        self.setObjectName(f"operand.{model.name}")
        self.painter = self._drawing = _OperandPainter(self, model, self._flash)
        for header in (self.horizontalHeader(), self.verticalHeader()):
            header.setMinimumSectionSize(1)
            header.hide()
        for bar in (self.setHorizontalScrollBarPolicy, self.setVerticalScrollBarPolicy):
            bar(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # Its cells are always in sight; scrolling would move them off their places.
        self.setAutoScroll(False)

    def lie_over(
        self,
        rect: QRect,
        cell: int,
        gap: int,
        size: int,
        decimals: int,
        columns: range,
    ) -> None:
        """Lie over an operand of a picture.

        Parameters
        ----------
        rect : QRect
            The cells of the operand.
        cell, gap : int
            The side of a cell, with its gap, and the gap.
        size : int
            The height of the numbers, in pixels.
        decimals : int
            Their decimals.
        columns : range
            The columns that the operand has, those of one head.
        """
        font = QFont(self.font())
        if (cell, size) != (self._cell, font.pixelSize()):
            self._cell = cell
            font.setPixelSize(size)
            self.setFont(font)
            self.fit()
        self._drawing.gap = gap
        self._drawing.decimals = decimals
        for column in range(self.cells.columnCount()):
            self.setColumnHidden(column, column not in columns)
        if self.hasFocus() and self.currentIndex().column() not in columns:
            self._go_along(columns)
        self.setGeometry(rect.adjusted(0, 0, gap, gap))
        self.show()
        self.raise_()

    def _go_along(self, columns: range) -> None:
        """Go to the same cell of the head that is shown now."""
        cell = self.currentIndex()
        self.keys.go(cell.row(), columns[cell.column() % len(columns)])

    def cell_size(self) -> QSize:
        return QSize(self._cell, self._cell)

    def heading_size(self) -> QSize:
        return QSize(0, 0)

    def scrollTo(
        self,
        index: object,
        hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible,
    ) -> None:
        """Stay: all cells are in sight."""

    def _column_width(self, width: int) -> int:
        return self._cell

    def _width_of(self, digits: float) -> int:
        return self._cell

    def digits_in(self, width: int) -> float:
        return (width - _BESIDE_TEXT) / self._digit

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and not event.modifiers():
            event.ignore()  # no number begins with it: it plays the picture
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ParentChange:
            self.viewport().update()


class _OperandPainter(MatrixPainter):
    """Paints cells with the gaps of a picture, their numbers in the middle."""

    gap = 3
    decimals = 0
    alignment = int(Qt.AlignmentFlag.AlignCenter)
    beside_text = _BESIDE_TEXT

    def texts(self, block: Region) -> Sequence[Sequence[str]]:
        values = self._matrix.values(block)
        return [
            [picture_number(v, self.decimals) for v in row] for row in values.tolist()
        ]

    def _paint_lines(self, painter: QPainter, block: Region, theme: Theme) -> None:
        cell, rect = self._cell_size()[0], self.block_rect(block)
        ground = QColor(theme.stage)
        for row in range(1, block.height + 1):
            y = rect.top() + row * cell - self.gap
            painter.fillRect(rect.left(), y, rect.width(), self.gap, ground)
        for column in range(1, block.width + 1):
            x = rect.left() + column * cell - self.gap
            painter.fillRect(x, rect.top(), self.gap, rect.height(), ground)
