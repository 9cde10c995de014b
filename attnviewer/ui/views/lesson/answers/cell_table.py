"""The table whose cells a learner fills."""

from math import ceil

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QSizePolicy,
    QWidget,
)

from attnviewer.ui.paint.fonts import fixed_font
from attnviewer.ui.views.lesson.answers.cell_delegate import AnswerDelegate
from attnviewer.ui.views.lesson.answers.cells import AnswerCells
from attnviewer.ui.widgets.arrow_keys import ARROWS
from attnviewer.ui.widgets.edited_table import TABBED, EditedTable
from attnviewer.ui.widgets.reason import ReasonBubble

MOST_ROWS = 12
DIGITS, FEWEST = 7, 5
"""Room for digits in a cell that is ticked, at most and at least."""
_BESIDE, _ABOVE = 12, 10
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class AnswerTable(EditedTable):
    """A table of which the cells that are asked for can be typed into.

    As in the tables of inputs, typing opens a cell, Enter goes down, Tab along the row,
    and arrows everywhere; cells that are not asked for are passed over.

    Attributes
    ----------
    left : Signal
        Enter was pressed in the last cell.
    """

    left = Signal()

    def __init__(
        self, cells: AnswerCells, reason: ReasonBubble, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setObjectName("lesson.cells")
        self.cells = cells
        self.setFont(fixed_font())
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        triggers = QAbstractItemView.EditTrigger
        self.setEditTriggers(
            triggers.AnyKeyPressed | triggers.DoubleClicked | triggers.EditKeyPressed
        )
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.setModel(cells)
        delegate = AnswerDelegate(self, reason)
        delegate.entered.connect(self._on_entered)
        delegate.stepped.connect(self._on_stepped)
        self.setItemDelegate(delegate)
        for header in (self.horizontalHeader(), self.verticalHeader()):
            header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
            header.setHighlightSections(False)
            header.setSectionsClickable(False)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.fit()

    def fit(self) -> None:
        """Take the size of the cells and their headings."""
        metrics, model = self.fontMetrics(), self.cells
        digit = metrics.horizontalAdvance("0")
        titles = [
            str(model.headerData(n, Qt.Orientation.Vertical))
            for n in range(model.rowCount())
        ]
        heading = max(map(metrics.horizontalAdvance, titles), default=0) + _BESIDE
        self.verticalHeader().setFixedWidth(min(heading, 12 * digit + _BESIDE))
        self.verticalHeader().setDefaultSectionSize(metrics.height() + _ABOVE)
        self.horizontalHeader().setFixedHeight(metrics.height() + _ABOVE)
        self.horizontalHeader().setMinimumSectionSize(1)
        self._fit_columns()
        self.updateGeometry()

    def enter(self) -> None:
        """Go to the first cell that is empty or not right, or else to the first."""
        model = self.cells
        places = [
            (row, column)
            for row in range(model.rowCount())
            for column in range(model.columnCount())
            if model.is_asked(row, column)
        ]
        for row, column in places:
            index = model.index(row, column)
            verdict = model.verdict(index)
            if not index.data() or (verdict is not None and not verdict.right):
                self._go(row, column)
                break
        else:
            self._go(*places[0])
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def sizeHint(self) -> QSize:
        return QSize(self._whole_width(), self._height(self._whole_width()))

    def minimumSizeHint(self) -> QSize:
        return QSize(self.verticalHeader().width() + 60, self._height(self.width()))

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._height(width)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, modifiers = Qt.Key(event.key()), event.modifiers()
        if key in ARROWS and not modifiers & ~Qt.KeyboardModifier.KeypadModifier:
            self._step(*ARROWS[key])
        elif key in _ENTER and not modifiers & Qt.KeyboardModifier.ControlModifier:
            shift = bool(modifiers & Qt.KeyboardModifier.ShiftModifier)
            self._on_entered(-1 if shift else 1)
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            index = self.currentIndex()
            if index.isValid() and index.flags() & Qt.ItemFlag.ItemIsEditable:
                self.cells.write(index, "")
        elif key in _ENTER:
            event.ignore()  # it checks the answer
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if not self.currentIndex().isValid() or not self._is_asked(self.currentIndex()):
            self.enter()

    def focusNextPrevChild(self, forward: bool) -> bool:
        return self._tab(1 if forward else -1) or super().focusNextPrevChild(forward)

    def editor_closed(self, hint: QAbstractItemDelegate.EndEditHint) -> None:
        by = TABBED.get(hint)
        if by is not None and not self._tab(by):
            super().focusNextPrevChild(by > 0)

    def _tab(self, by: int) -> bool:
        """Go to the next cell that is asked for; return whether there is one."""
        index, width = self.currentIndex(), self.cells.columnCount()
        place = index.row() * width + index.column() + by
        while 0 <= place < self.cells.rowCount() * width:
            row, column = divmod(place, width)
            if self.cells.is_asked(row, column):
                self._go(row, column)
                return True
            place += by
        return False

    def _is_left(self, row: int, column: int) -> bool:
        """Return whether a cell is asked for and not known to be right."""
        verdict = self.cells.verdict(self.cells.index(row, column))
        right = verdict is not None and verdict.right
        return self.cells.is_asked(row, column) and not right

    def _step(self, down: int, across: int, *, left: bool = False) -> bool:
        wanted = self._is_left if left else self.cells.is_asked
        index = self.currentIndex()
        row, column = index.row() + down, index.column() + across
        while 0 <= row < self.cells.rowCount() and 0 <= column < (
            self.cells.columnCount()
        ):
            if wanted(row, column):
                self._go(row, column)
                return True
            row, column = row + down, column + across
        return False

    def _on_stepped(self, event: QKeyEvent) -> None:
        self._step(*ARROWS.get(Qt.Key(event.key()), (0, 0)))

    def _on_entered(self, rows: int) -> None:
        """Go down, or else to the top of the next column; leave behind the last.

        Numbers that are known to be right are passed over.
        """
        if self._step(rows, 0, left=True):
            return
        column = self.currentIndex().column() + (1 if rows > 0 else -1)
        lines = range(self.cells.rowCount())
        while 0 <= column < self.cells.columnCount():
            for row in lines if rows > 0 else reversed(lines):
                if self._is_left(row, column):
                    self._go(row, column)
                    return
            column += 1 if rows > 0 else -1
        if rows > 0:
            self.left.emit()

    def _go(self, row: int, column: int) -> None:
        select = QItemSelectionModel.SelectionFlag.ClearAndSelect
        index = self.cells.index(row, column)
        self.selectionModel().setCurrentIndex(index, select)

    def _is_asked(self, index: QModelIndex) -> bool:
        return self.cells.is_asked(index.row(), index.column())

    def _column(self, width: int) -> int:
        """Return the width of a column in a table of a width."""
        metrics, count = self.fontMetrics(), self.cells.columnCount()
        digit = metrics.horizontalAdvance("0")
        sign = metrics.height() // 2
        most, least = (
            ceil(digits * digit) + _BESIDE + sign for digits in (DIGITS, FEWEST)
        )
        titles = [
            str(self.cells.headerData(n, Qt.Orientation.Horizontal))
            for n in range(count)
        ]
        named = max(map(metrics.horizontalAdvance, titles), default=0) + _BESIDE
        least = max(least, min(named, 10 * digit))
        room = (width - self.verticalHeader().width() - 2) // max(count, 1)
        return max(least, min(max(most, named), room))

    def _fit_columns(self) -> None:
        column = self._column(self.width())
        if column != self.horizontalHeader().defaultSectionSize():
            self.horizontalHeader().setDefaultSectionSize(column)
            self.updateGeometry()

    def _whole_width(self) -> int:
        return self.verticalHeader().width() + self.cells.columnCount() * self._column(
            10**6
        )

    def _height(self, width: int) -> int:
        rows = min(self.cells.rowCount(), MOST_ROWS)
        height = rows * self.verticalHeader().defaultSectionSize()
        height += self.horizontalHeader().height() + 2
        columns = self.cells.columnCount() * self._column(width)
        if width < self.verticalHeader().width() + columns:
            height += self.horizontalScrollBar().sizeHint().height()
        return height
