"""A table of cells of one size, no larger than its cells."""

from math import ceil

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Slot
from PySide6.QtGui import QFocusEvent, QFontMetricsF
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QSizePolicy,
    QWidget,
)

from attnviewer.ui.paint.fonts import fixed_font
from attnviewer.ui.views.inputs.cells.header import CellHeader
from attnviewer.ui.views.inputs.cells.model import CellModel
from attnviewer.ui.widgets.edited_table import EditedTable
from attnviewer.ui.widgets.without_updates import without_updates

FITTED = 0.0
"""The width that stands for that of the longest text, whatever it is."""
_BESIDE_TEXT = 11
_ABOVE_TEXT = 9
_FEWEST = 3
"""The least width of a column, in characters."""
_MOST_NARROWED = 64
"""The most columns whose texts are measured; in wider tables columns do not shrink."""


class FittedTable(EditedTable):
    """A table with columns of a width in characters and rows of one line.

    If not all columns fit, they become narrower, as far as their texts allow. A width
    chosen by the user is kept. At most `most_rows` rows are shown. Subclasses decide
    how the focus is shown.

    Parameters
    ----------
    characters : int
        Room for text in a column.
    parent : QWidget, optional
        The Qt parent.

    Attributes
    ----------
    headings_above : CellHeader
        The headings of the columns.
    """

    most_rows = 12
    """The most rows that are shown without scrolling."""

    def __init__(self, characters: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._characters = characters
        self._chosen: float | None = None
        self._digit = 0.0
        self.setFont(fixed_font())
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        # Cells are counted from the upper left in every language.
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.headings_above = CellHeader(Qt.Orientation.Horizontal, self)
        self.setHorizontalHeader(self.headings_above)
        self.setVerticalHeader(CellHeader(Qt.Orientation.Vertical, self))
        self.verticalHeader().setDefaultAlignment(
            Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        )
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_cells(self, model: CellModel) -> None:
        """Show the cells of a model from now on."""
        self._cells = model
        self.setModel(model)
        for rows_or_columns in (
            *(model.rowsInserted, model.rowsRemoved),
            *(model.columnsInserted, model.columnsRemoved),
        ):
            rows_or_columns.connect(self.fit)
        self.fit()

    @property
    def cells(self) -> CellModel:
        """The model of the cells."""
        return self._cells

    @Slot()
    def fit(self) -> None:
        """Resize to the cells, headers and scroll bars."""
        self._digit = QFontMetricsF(self.font()).horizontalAdvance("0")
        cell, headings = self.cell_size(), self.heading_size()
        self.verticalHeader().setDefaultSectionSize(cell.height())
        self._fit_columns()
        self.horizontalHeader().setFixedHeight(headings.height())
        self.verticalHeader().setFixedWidth(headings.width())
        self.setMaximumWidth(
            self._beside_cells() + cell.width() * self._cells.columnCount()
        )
        self.updateGeometry()

    def cell_size(self) -> QSize:
        """Return the preferred size of a cell, grid lines included."""
        digits: float = self._characters
        if self._chosen is not None:
            digits = self._chosen or self._cells.longest_text
        height = self.fontMetrics().height() + _ABOVE_TEXT
        return QSize(self._width_of(digits), height)

    @property
    def narrowest(self) -> int:
        """The characters of the longest text, or of a column if that may not shrink."""
        return self._characters

    def set_chosen_width(self, digits: float | None) -> None:
        """Set the user's column width; None for the default.

        Parameters
        ----------
        digits : float, optional
            The width for text, in digits, or `FITTED`.
        """
        if digits != self._chosen:
            self._chosen = digits
            self.fit()

    def digits_in(self, width: int) -> float:
        """Return the width for text in a column of a width in pixels, in digits."""
        return (width - _BESIDE_TEXT) / self._digit

    def _width_of(self, digits: float) -> int:
        return ceil(self._digit * digits) + _BESIDE_TEXT

    def _beside_cells(self) -> int:
        """Return the width of everything beside the cells."""
        width = self._row_header_width()
        bar = self.verticalScrollBarPolicy() != Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        if bar and self._cells.rowCount() > self.most_rows:
            width += self.verticalScrollBar().sizeHint().width()
        return width

    def _column_width(self, width: int) -> int:
        """Return the column width in a table of a width in pixels."""
        usual, count = self.cell_size().width(), self._cells.columnCount()
        room = width - self._beside_cells()
        narrowed = room < count * usual and 0 < count <= _MOST_NARROWED
        if self._chosen is not None or not narrowed:
            return usual
        return max(self._width_of(max(self.narrowest, _FEWEST)), room // count)

    @Slot()
    def _fit_columns(self) -> None:
        width = self._column_width(self.width())
        if width != self.horizontalHeader().defaultSectionSize():
            self.horizontalHeader().setDefaultSectionSize(width)
            self.updateGeometry()

    def event(self, event: QEvent) -> bool:
        # Not in `resizeEvent`, which is about the viewport: that keeps its width where
        # a scroll bar goes as the table becomes narrower.
        if event.type() == QEvent.Type.Resize:
            self._fit_columns()
        return super().event(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        # Qt would repaint everything as an editor gives the focus back.
        with without_updates(self, self.viewport()):
            super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        with without_updates(self, self.viewport()):
            super().focusOutEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        # Editors request it when they open and close, and are positioned anyway: it
        # would only repaint the scroll bars.
        if event.type() == QEvent.Type.LayoutRequest:
            return True
        return super().viewportEvent(event)

    def heading_size(self) -> QSize:
        """Return the width of row headings and the height of column headings."""
        digits = max(3, self._cells.row_heading_characters)
        width = self.fontMetrics().horizontalAdvance("0" * digits) + _BESIDE_TEXT
        return QSize(width, self.cell_size().height() - 1)

    def set_characters(self, characters: int) -> None:
        """Set the column width in characters."""
        if characters != self._characters:
            self._characters = characters
            self.fit()

    def sizeHint(self) -> QSize:
        return QSize(self.maximumWidth(), self.heightForWidth(self.maximumWidth()))

    def minimumSizeHint(self) -> QSize:
        column = self.horizontalHeader().defaultSectionSize()
        width = min(self._row_header_width() + column, self.maximumWidth())
        return QSize(width, self.heightForWidth(width))

    def heightForWidth(self, width: int) -> int:
        rows = min(self._cells.rowCount(), self.most_rows)
        height = rows * self.verticalHeader().defaultSectionSize()
        columns = self._cells.columnCount() * self._column_width(width)
        if width < self._beside_cells() + columns:
            height += self.horizontalScrollBar().sizeHint().height()
        header = self.horizontalHeader()
        return height if header.isHidden() else height + header.height()

    def cell_near(self, position: QPoint) -> tuple[int, int]:
        """Return the cell at a position in the viewport, or the nearest visible one."""
        sight = self.viewport().rect()
        row = self.rowAt(min(max(position.y(), 0), sight.bottom()))
        column = self.columnAt(min(max(position.x(), 0), sight.right()))
        last = self.cells.rowCount() - 1, self.cells.columnCount() - 1
        return row if row >= 0 else last[0], column if column >= 0 else last[1]

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        changed = event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange)
        if changed and self.model() is not None:
            self.fit()

    def reset(self) -> None:
        super().reset()
        if self.model() is not None:
            self.fit()

    def _row_header_width(self) -> int:
        header = self.verticalHeader()
        return 0 if header.isHidden() else header.maximumWidth()
