"""A bar that finds tokens by substrings."""

from bisect import bisect_left, bisect_right

from PySide6.QtCore import QItemSelection, QItemSelectionModel, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QWidget,
)

from attnviewer.document import Region
from attnviewer.document.rearranging import tokens_of
from attnviewer.document.rows import SequenceName
from attnviewer.ui.state.cursor import InputSelection
from attnviewer.ui.state.undo import EditStack
from attnviewer.ui.views.inputs.cells.table import CellTable
from attnviewer.ui.widgets.symbol_button import symbol_button


class FindBar(QWidget):
    """Finds tokens and selects their rows in the table beside them.

    Hidden until `begin`. It matches substrings, ignoring case. Enter and F3 go to the
    next match, with Shift to the previous one; Escape returns to the table.

    Attributes
    ----------
    controls : list of QWidget
        The line and its buttons, from left to right.
    """

    def __init__(
        self,
        edits: EditStack,
        sequence: SequenceName,
        table: CellTable,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.setObjectName(f"find.{sequence}")
        self._edits = edits
        self._sequence = sequence
        self._table = table
        self._rows: list[int] = []
        self._line = _Line(self)
        self._line.setObjectName(f"find.{sequence}.line")
        self._line.setAccessibleName(self.tr("Find a token"))
        self._line.setPlaceholderText(self.tr("Find a token"))
        self._line.textEdited.connect(self._search)
        self._line.asked.connect(self.go)
        self._line.closed.connect(self.finish)
        self.controls: list[QWidget] = [self._line]
        self._count = QLabel(self)
        self._count.setObjectName(f"find.{sequence}.count")
        self._count.setProperty("muted", True)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(self._line, 1)
        row.addWidget(self._count)
        for name, symbol, title, slot in (
            ("back", "↑", self.tr("Previous match"), self._go_back),
            ("next", "↓", self.tr("Next match"), self._go_on),
            ("close", "✕", self.tr("Close"), self.finish),
        ):
            button = symbol_button(f"find.{sequence}.{name}", symbol, title, self)
            button.setAutoRaise(True)
            button.clicked.connect(slot)
            row.addWidget(button)
            self.controls.append(button)
        table.helper = self
        table.current_moved.connect(self._show_count)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(table.show_keys)
        self.hide()

    def begin(self) -> None:
        """Show the bar and take the focus."""
        current = self._table.currentIndex()
        cell = Region(max(current.row(), 0), max(current.column(), 0), 1, 1)
        self._edits.cursor.go(InputSelection(self._table.name, cell))
        self.show()
        self._line.setFocus()
        self._line.selectAll()
        self.refresh()

    @Slot()
    def finish(self) -> None:
        """Give the focus back to the table and hide."""
        self._table.setFocus()
        self.hide()

    def refresh(self) -> None:
        """Search again, as the tokens may have changed."""
        part = self._line.text().casefold()
        tokens = tokens_of(self._edits.document, self._sequence)
        found = enumerate(tokens) if part else ()
        self._rows = [row for row, token in found if part in token.casefold()]
        self._show_count()

    @Slot(int)
    def go(self, by: int) -> None:
        """Select the next match (1) or the previous one (−1)."""
        if not self._line.text():
            self.begin()
            return
        self.refresh()
        current = self._table.currentIndex().row()
        if by > 0:
            self._select(bisect_right(self._rows, current))
        else:
            self._select(bisect_left(self._rows, current) - 1)

    @Slot()
    def _search(self) -> None:
        self.refresh()
        self._select(bisect_left(self._rows, self._table.currentIndex().row()))

    @Slot()
    def _go_back(self) -> None:
        self.go(-1)

    @Slot()
    def _go_on(self) -> None:
        self.go(1)

    def _select(self, number: int) -> None:
        if not self._rows:
            return
        row, table = self._rows[number % len(self._rows)], self._table
        model, select = table.model(), QItemSelectionModel.SelectionFlag
        width = model.columnCount()
        current = model.index(row, max(table.currentIndex().column(), 0))
        cells = QItemSelection(model.index(row, 0), model.index(row, width - 1))
        table.selectionModel().setCurrentIndex(current, select.NoUpdate)
        table.selectionModel().select(cells, select.ClearAndSelect)
        table.scrollTo(current)
        self._edits.cursor.move(InputSelection(table.name, Region(row, 0, 1, width)))
        self._show_count()

    @Slot()
    def _show_count(self) -> None:
        current, count = self._table.currentIndex().row(), len(self._rows)
        number = bisect_left(self._rows, current)
        if not self._line.text():
            text = ""
        elif number < count and self._rows[number] == current:
            text = self.tr("{number} of {count}").format(number=number + 1, count=count)
        else:
            text = self.tr("{count} found").format(count=count)
        self._count.setText(text)
        self._count.setAccessibleName(text)


class _Line(QLineEdit):
    asked = Signal(int)
    closed = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        match event.key():
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self.asked.emit(-1 if back else 1)
            case Qt.Key.Key_Down:
                self.asked.emit(1)
            case Qt.Key.Key_Up:
                self.asked.emit(-1)
            case Qt.Key.Key_Escape:
                self.closed.emit()
            case _:
                super().keyPressEvent(event)
