"""A step as a table of numbers, to read and to copy from."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPaintEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QMenu, QTableView, QWidget

from attnviewer.compute import Array, Dirty, IndexArray
from attnviewer.document import Region, exact_text
from attnviewer.document.text.numpy_text import numpy_text
from attnviewer.ui.paint.fonts import fixed_font
from attnviewer.ui.paint.step_content import Shown, StepContent, content_of
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.state.selection import Position
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.text.number_format import (
    AUTOMATIC,
    LOOKED_AT,
    Decimals,
    NumberFormat,
)
from attnviewer.ui.text.numbers import decimals_for, format_number, full_number
from attnviewer.ui.text.spreadsheet import spreadsheet_text
from attnviewer.ui.text.step_titles import step_title
from attnviewer.ui.widgets.actions import SEPARATOR, ActionRow, fill_menu
from attnviewer.ui.widgets.format_menu import FormatMenu
from attnviewer.ui.widgets.item_roles import (
    ACCESSIBLE_TEXT,
    ALIGNMENT,
    DISPLAY,
    FOREGROUND,
    RIGHT,
    TOOL_TIP,
)
from attnviewer.ui.widgets.tool_tips import plain_tip

Index = QModelIndex | QPersistentModelIndex

MOST_DECIMALS = 4
NUMBER_CHARACTERS, LABEL_CHARACTERS = 11, 24
"""Room for a number, and the most for the label of a row."""
BESIDE_TEXT, ABOVE_TEXT = 12, 11
NO_INDEX = QModelIndex()


class StepTableModel(QAbstractTableModel):
    """The numbers of one head of a step, read-only."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._content: StepContent | None = None
        self._decimals = MOST_DECIMALS
        self._format = AUTOMATIC
        self._muted = QColor()

    @property
    def content(self) -> StepContent | None:
        """What the model gives out."""
        return self._content

    @property
    def decimals(self) -> Decimals:
        """How many decimals the numbers need when they are written automatically."""
        return Decimals(self._decimals, MOST_DECIMALS)

    @property
    def format(self) -> NumberFormat:
        """How the numbers are written."""
        return self._format

    def set_format(self, format_: NumberFormat) -> None:
        """Write the numbers in another way."""
        self._format = format_
        last = self.index(self.rowCount() - 1, self.columnCount() - 1)
        self.dataChanged.emit(self.index(0, 0), last, [DISPLAY])

    def set_content(
        self, content: StepContent, theme: Theme, changed: Sequence[Dirty] | None = None
    ) -> None:
        """Give out another step; only another shape resets the model.

        Parameters
        ----------
        content : StepContent
            The step.
        theme : Theme
            The theme in force.
        changed : sequence of Dirty, optional
            Where the numbers may differ from those before; everywhere by default.
        """
        before = self._content
        reshaped = before is None or before.shape != content.shape
        if reshaped:
            self.beginResetModel()
        self._content = content
        written = self._decimals, self._muted
        # Many cells need as many decimals as all.
        few = slice(0, max(1, LOOKED_AT // content.shape[1]))
        self._decimals = decimals_for(content.matrix.window(few), MOST_DECIMALS)
        self._muted = QColor(theme.muted)
        if reshaped:
            self.endResetModel()
            return
        assert before is not None
        rows, columns = content.shape
        if changed is None or written != (self._decimals, self._muted):
            changed = (Dirty(),)
        for block in changed:
            top, bottom = _ends(block.rows, rows)
            left, right = _ends(block.columns, columns)
            self.dataChanged.emit(self.index(top, left), self.index(bottom, right))
        if before.row_labels != content.row_labels:
            self.headerDataChanged.emit(Qt.Orientation.Vertical, 0, rows - 1)
        if before.column_labels != content.column_labels:
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, columns - 1)

    def forget(self) -> None:
        """Let go of the numbers, for as long as nobody sees them."""
        if self._content is not None:
            self._content = self._content.emptied()

    def rowCount(self, parent: Index = NO_INDEX) -> int:
        return (
            0 if self._content is None or parent.isValid() else self._content.shape[0]
        )

    def columnCount(self, parent: Index = NO_INDEX) -> int:
        return (
            0 if self._content is None or parent.isValid() else self._content.shape[1]
        )

    def data(self, index: Index, role: int = DISPLAY) -> Any:
        if role not in (DISPLAY, TOOL_TIP, ALIGNMENT, FOREGROUND, ACCESSIBLE_TEXT):
            return None
        if role == ALIGNMENT:
            return RIGHT
        if self._content is None or not index.isValid():
            return None
        cell = index.row(), index.column()
        value = self._content.value(*cell)
        if role == DISPLAY:
            if self._format == AUTOMATIC:
                return format_number(value, self._decimals)
            return self._format.write(value, self.decimals)
        if role == TOOL_TIP:
            return full_number(value)
        hidden = _is_hidden(self._content, cell)
        if role == ACCESSIBLE_TEXT:
            return self._accessible_text(self._content, cell, masked=hidden)
        return self._muted if hidden else None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = DISPLAY
    ) -> Any:
        if self._content is None or role not in (DISPLAY, TOOL_TIP):
            return None
        vertical = orientation == Qt.Orientation.Vertical
        labels = self._content.row_labels if vertical else self._content.column_labels
        return plain_tip(labels[section]) if role == TOOL_TIP else labels[section]

    def _accessible_text(
        self, content: StepContent, cell: Position, *, masked: bool
    ) -> str:
        text = self.tr("{row}, {column}: {number}").format(
            row=content.row_labels[cell[0]],
            column=content.column_labels[cell[1]],
            number=full_number(content.value(*cell)),
        )
        # On the screen its colour alone tells a masked cell apart.
        return self.tr("{cell}, masked").format(cell=text) if masked else text


class StepTable(QTableView):
    """Shows a step's numbers; the current cell is the selected one.

    Attributes
    ----------
    cell_chosen : Signal
        The person went to another cell: its position.
    painted : Signal
        The table has been painted.
    """

    cell_chosen = Signal(object)
    painted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("step.table")
        self.setAccessibleName(self.tr("Table"))
        self._cell: Position | None = None
        self._formats: dict[str, NumberFormat] = {}
        self._model = StepTableModel(self)
        self.setModel(self._model)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        # One block of cells, which is what a clipboard can hold.
        self.setSelectionMode(QAbstractItemView.SelectionMode.ContiguousSelection)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.setFont(fixed_font())
        self._fit()
        for header in (self.horizontalHeader(), self.verticalHeader()):
            header.setTextElideMode(Qt.TextElideMode.ElideRight)
            header.setHighlightSections(True)
        self.selectionModel().currentChanged.connect(self._on_current_changed)

    def show_step(self, shown: Shown) -> None:
        """Show one head of a step."""
        self.show_content(content_of(shown), shown.theme, shown.changed)
        # `painted` tells of edits that no cell shows as well.
        self.viewport().update(0, 0, 1, 1)

    def show_content(
        self, content: StepContent, theme: Theme, changed: Sequence[Dirty] | None = None
    ) -> None:
        """Show a step (see `StepTableModel.set_content`).

        The selected block stays unless the shape is another one.
        """
        self._model.set_content(content, theme, changed)
        self._follow_format()
        rows, columns = content.shape
        self.setAccessibleDescription(
            self.tr("{step}, {rows} rows and {columns} columns.").format(
                step=step_title(content.step), rows=rows, columns=columns
            )
        )
        self.choose(self._cell)

    def forget(self) -> None:
        """Let go of the numbers; the selected block stays."""
        self._model.forget()

    def choose(self, cell: Position | None) -> None:
        """Go to the selected cell."""
        self._cell = cell
        if cell is None:
            self.selectionModel().clear()
            return
        index = self._model.index(*cell)
        # Moving to where we are would shrink a selected block to one cell.
        if index.isValid() and index != self.currentIndex():
            self.setCurrentIndex(index)

    @property
    def selected_block(self) -> Region | None:
        """The selected cells; None if there are none."""
        ranges = self.selectionModel().selection()
        if ranges.isEmpty():
            return None
        block = ranges.first()
        return Region(block.top(), block.left(), block.height(), block.width())

    def copy(self) -> None:
        """Copy the selected block, tab-separated, as numbers that read back exactly."""
        values = self._selected_values()
        if values is not None:
            texts = (map(exact_text, row) for row in values.tolist())
            QGuiApplication.clipboard().setText(spreadsheet_text(texts))

    def _selected_values(self) -> Array | None:
        block, content = self.selected_block, self._model.content
        if content is None or block is None:
            return None
        values: Array = content.matrix.window(block.rows, block.columns)
        return values  # (height, width)

    @property
    def number_format(self) -> NumberFormat:
        """How the numbers of the step that is shown are written."""
        content = self._model.content
        return AUTOMATIC if content is None else self._format_of(content.step)

    @Slot(object)
    def set_number_format(self, format_: NumberFormat) -> None:
        """Write the numbers of the step that is shown in another way."""
        if self._model.content is not None:
            self._formats[self._model.content.step] = format_
            self._follow_format()

    def _format_of(self, step: str) -> NumberFormat:
        return self._formats.get(step, AUTOMATIC)

    def _follow_format(self) -> None:
        if self.number_format != self._model.format:
            self._model.set_format(self.number_format)
            self._fit()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        formats = FormatMenu("step.format", menu)
        formats.check(self.number_format)
        formats.chosen.connect(self.set_number_format)
        copy = ActionRow("step.copy", self.tr("&Copy"), self._copy)
        numpy = ActionRow("step.numpy", self.tr("Copy as &NumPy"), self._copy_as_numpy)
        fill_menu(menu, [copy, numpy, SEPARATOR, formats])
        menu.popup(event.globalPos())

    def _copy(self, _data: object) -> None:
        self.copy()

    def _copy_as_numpy(self, _data: object) -> None:
        values = self._selected_values()
        if values is not None:
            QGuiApplication.clipboard().setText(numpy_text(values))

    @Slot()
    def forget_formats(self) -> None:
        """Write all numbers as at first: those to come are of another document."""
        self._formats.clear()
        self._follow_format()

    def event(self, event: QEvent) -> bool:
        # Else the keys would change the numbers of an input table.
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and self._more_decimals(event)
        ):
            event.accept()
            return True
        return super().event(event)

    @staticmethod
    def _more_decimals(event: QKeyEvent) -> int:
        """Return how many decimals more a key asks for; 0 for other keys."""
        if event.modifiers() != Qt.KeyboardModifier.ControlModifier:
            return 0
        keys = {Qt.Key.Key_Period.value: 1, Qt.Key.Key_Comma.value: -1}
        return keys.get(event.key(), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        self.painted.emit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def _fit(self) -> None:
        """Give numbers and labels the room that the font asks for."""
        metrics = self.fontMetrics()
        number, label = (
            metrics.horizontalAdvance("0" * count) + BESIDE_TEXT
            for count in (
                max(NUMBER_CHARACTERS, self.number_format.characters),
                LABEL_CHARACTERS,
            )
        )
        self.horizontalHeader().setDefaultSectionSize(number)
        self.verticalHeader().setDefaultSectionSize(metrics.height() + ABOVE_TEXT)
        self.verticalHeader().setMaximumWidth(label)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        more = self._more_decimals(event)
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
            event.accept()
        elif more:
            stepped = self.number_format.stepped(more, self._model.decimals)
            self.set_number_format(stepped)
            event.accept()
        else:
            super().keyPressEvent(event)

    @Slot(QModelIndex, QModelIndex)
    def _on_current_changed(self, current: QModelIndex, _before: QModelIndex) -> None:
        if current.isValid():
            cell = current.row(), current.column()
            if cell != self._cell:
                self._cell = cell
                self.cell_chosen.emit(cell)


def table_page(workbench: Workbench, parent: QWidget) -> StepTable:
    """Return the table as a page of the step view."""
    table = StepTable(parent)
    table.cell_chosen.connect(workbench.selection.choose_here)
    workbench.opened.connect(table.forget_formats)
    return table


def _ends(places: IndexArray | None, count: int) -> tuple[int, int]:
    """Return the first and the last of some places, of all by default."""
    return (0, count - 1) if places is None else (int(places[0]), int(places[-1]))


def _is_hidden(content: StepContent, cell: Position) -> bool:
    row, column = cell
    hidden = content.matrix.hidden(slice(row, row + 1), slice(column, column + 1))
    return hidden is not None and bool(hidden[0, 0])
