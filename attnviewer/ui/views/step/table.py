"""A step as a table of numbers, to read and to copy from."""

from collections.abc import Sequence

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QContextMenuEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPaintEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QMenu, QTableView, QWidget

from attnviewer.compute import Array, Dirty
from attnviewer.document import Region, exact_text
from attnviewer.document.text.numpy_text import numpy_text
from attnviewer.ui.paint.fonts import fixed_font
from attnviewer.ui.paint.step_content import DisplayedStep, StepContent, content_of
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.state.selection import Position
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.text.number_format import (
    AUTOMATIC,
    NumberFormat,
)
from attnviewer.ui.text.spreadsheet import spreadsheet_text
from attnviewer.ui.text.step_titles import step_title
from attnviewer.ui.views.step.pin_delegate import PinDelegate
from attnviewer.ui.views.step.table_model import StepTableModel
from attnviewer.ui.widgets.actions import SEPARATOR, ActionRow, fill_menu
from attnviewer.ui.widgets.format_menu import FormatMenu

NUMBER_CHARACTERS, LABEL_CHARACTERS = 11, 24
"""Room for a number, and the most for the label of a row."""
BESIDE_TEXT, ABOVE_TEXT = 12, 11


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
        self.setItemDelegate(PinDelegate(self))
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

    def show_step(self, shown: DisplayedStep) -> None:
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
