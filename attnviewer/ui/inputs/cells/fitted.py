"""A table of equally large cells that is no larger than they are."""

from PySide6.QtCore import QEvent, QSize, Qt, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QSizePolicy,
    QTableView,
    QWidget,
)

from attnviewer.ui.fonts import fixed_font
from attnviewer.ui.inputs.cells.model import CellModel

_BESIDE_TEXT = 11
_ABOVE_TEXT = 9


class FittedTable(QTableView):
    """A table whose columns are as wide as so many characters, its rows as one line.

    What its cells contain is never measured. It shows `most_rows` rows at most.

    Parameters
    ----------
    characters : int
        Room for text in a column.
    parent : QWidget, optional
        Qt's owner.
    """

    most_rows = 12
    """Rows that are shown without scrolling."""

    def __init__(self, characters: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._characters = characters
        self.setFont(fixed_font())
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        # Rows and columns are counted from the upper left in every language.
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.setHorizontalHeader(_Header(Qt.Orientation.Horizontal, self))
        self.setVerticalHeader(_Header(Qt.Orientation.Vertical, self))
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
        """The cells, as the model that they are."""
        return self._cells

    @Slot()
    def fit(self) -> None:
        """Take the size that the cells, headers and scroll bars need."""
        cell, headings = self.cell_size(), self.heading_size()
        self.verticalHeader().setDefaultSectionSize(cell.height())
        self.horizontalHeader().setDefaultSectionSize(cell.width())
        self.horizontalHeader().setFixedHeight(headings.height())
        self.verticalHeader().setFixedWidth(headings.width())
        width = self._row_header_width() + cell.width() * self._cells.columnCount()
        bar = self.verticalScrollBarPolicy() != Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        if bar and self._cells.rowCount() > self.most_rows:
            width += self.verticalScrollBar().sizeHint().width()
        self.setMaximumWidth(width)
        self.updateGeometry()

    def cell_size(self) -> QSize:
        """Return how large each cell is, its lines included."""
        metrics = self.fontMetrics()
        width = metrics.horizontalAdvance("0" * self._characters) + _BESIDE_TEXT
        return QSize(width, metrics.height() + _ABOVE_TEXT)

    def heading_size(self) -> QSize:
        """Return how wide the rows' headings are, and how high those of columns."""
        digits = max(3, self._cells.row_heading_characters)
        width = self.fontMetrics().horizontalAdvance("0" * digits) + _BESIDE_TEXT
        return QSize(width, self.cell_size().height() - 1)

    def set_characters(self, characters: int) -> None:
        """Give the columns room for so many characters."""
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
        if width < self.maximumWidth():
            height += self.horizontalScrollBar().sizeHint().height()
        header = self.horizontalHeader()
        return height if header.isHidden() else height + header.height()

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


class _Header(QHeaderView):
    """Headings whose size is set, and never asked of what they contain."""

    def __init__(self, orientation: Qt.Orientation, parent: QWidget) -> None:
        super().__init__(orientation, parent)
        self.setSectionsClickable(True)
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setMinimumSectionSize(1)
        self.setHighlightSections(True)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)

    def sizeHint(self) -> QSize:
        # As fixed by the table; Qt would measure some hundred headings.
        return self.maximumSize()
