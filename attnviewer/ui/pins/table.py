"""Pinning numbers in the table of a step."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, Slot
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QMenu,
    QStyleOptionViewItem,
)

from attnviewer.ui.pins.combined import DELETE, ENTER, combined_words, edits
from attnviewer.ui.pins.commands import PinCommands
from attnviewer.ui.pins.target import Target, cells_target
from attnviewer.ui.pins.writer import PinWriter
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.views.inputs.cells.keys import CellKeys
from attnviewer.ui.views.step.table import StepTable
from attnviewer.ui.widgets.actions import Rows, fill_menu
from attnviewer.ui.widgets.editor_delegate import EditorDelegate
from attnviewer.ui.widgets.item_roles import EDIT, ModelIndex
from attnviewer.ui.widgets.marking import Line
from attnviewer.ui.widgets.notice import NoticeBar
from attnviewer.ui.widgets.reason import ReasonBubble

_TO_CORRECT = QAbstractItemView.EditTrigger.EditKeyPressed


class TablePinning(QObject):
    """Lets the numbers of a table be pinned by typing, pasting and context menus.

    The menus of cells and of labels offer further rows besides.
    """

    def __init__(
        self,
        workbench: Workbench,
        table: StepTable,
        writer: PinWriter,
        commands: PinCommands,
        reason: ReasonBubble,
        notice: NoticeBar,
        more: Rows,
        more_of_lines: Callable[[Line, int], Rows],
    ) -> None:
        super().__init__(table)
        self._more_of_lines = more_of_lines
        self._workbench, self._table = workbench, table
        self._writer, self._commands = writer, commands
        self._reason, self._notice = reason, notice
        self._keys = CellKeys(table)
        delegate = _WritingDelegate(self, table, writer, reason)
        delegate.entered.connect(self._enter)
        delegate.stepped.connect(self._step)
        table.setItemDelegate(delegate)
        table.tabbed.connect(self._tab)
        rows = [*commands.rows("step", of=self.target), *more]
        table.let_edit(writer.takes, rows)
        table.installEventFilter(self)
        for header in (table.horizontalHeader(), table.verticalHeader()):
            header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            header.customContextMenuRequested.connect(self._open_menu)

    def commit(self) -> bool:
        """Commit what is being typed; return False if it is refused."""
        return self._table.commit_editors()

    def target(self) -> Target | None:
        """Return the selected block; None where nothing can be pinned."""
        block, step = self._table.selected_block, self._workbench.selection.step
        if block is None or not self._writer.takes(step):
            return None
        if self._table.combines_selected:
            return None
        rows = range(block.row, block.rows.stop)
        columns = range(block.column, block.columns.stop)
        return cells_target(self._workbench, step, rows, columns)

    def cell(self, index: ModelIndex) -> Target:
        """Return a single cell."""
        row = self._table.line_of_step("row", index.row())
        column = self._table.line_of_step("column", index.column())
        # Others cannot be edited.
        assert row is not None
        assert column is not None
        rows, columns = range(row, row + 1), range(column, column + 1)
        step = self._workbench.selection.step
        return cells_target(self._workbench, step, rows, columns)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        return (
            event.type() == QEvent.Type.KeyPress
            and isinstance(event, QKeyEvent)
            and self._writer.takes(self._workbench.selection.step)
            and self._press(event)
        )

    def _press(self, event: QKeyEvent) -> bool:
        index, plain = self._table.currentIndex(), not event.modifiers()
        if self._table.combines_selected and edits(event):
            self._say(combined_words())
        elif event.matches(QKeySequence.StandardKey.Paste):
            self._paste()
        elif event.key() in DELETE and plain:
            self._commands.unpin(self.target)
        elif event.key() in ENTER and plain and index.isValid():
            self._table.edit(index, _TO_CORRECT, event)
        else:
            return False
        return True

    def _paste(self) -> None:
        target = self.target()
        if target is None:
            return
        try:
            read = self._writer.paste(target, QGuiApplication.clipboard().text())
        except ValueError as error:
            self._say(str(error))
            return
        if read:
            self._notice.show_message(read)

    def _say(self, reason: str) -> None:
        cell = self._table.visualRect(self._table.currentIndex())
        corner = self._table.viewport().mapToGlobal(cell.topLeft())
        self._reason.say(reason, QRect(corner, cell.size()))

    @Slot(int)
    def _enter(self, rows: int) -> None:
        if not self._writer.asking:
            self._keys.enter(rows)

    @Slot(object)
    def _step(self, event: QKeyEvent) -> None:
        if not self._writer.asking:
            self._keys.press(event)

    @Slot(int)
    def _tab(self, columns: int) -> None:
        if not self._writer.asking:
            self._keys.tab(columns, typed=True)

    @Slot(QPoint)
    def _open_menu(self, place: QPoint) -> None:
        header = self.sender()
        assert isinstance(header, QHeaderView)
        down = header.orientation() == Qt.Orientation.Vertical
        line: Line = "row" if down else "column"
        shown = header.logicalIndexAt(place)
        index = None if shown < 0 else self._table.line_of_step(line, shown)
        if index is None:
            return
        rows = self._commands.line_rows("step", line, index)
        if not rows:
            return
        rows = [*rows, *self._more_of_lines(line, index)]
        menu = QMenu(header)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        fill_menu(menu, rows)
        menu.popup(header.mapToGlobal(place))


class _WritingDelegate(EditorDelegate):
    """Pins what is typed; cells are drawn as before."""

    def __init__(
        self,
        pinning: TablePinning,
        table: StepTable,
        writer: PinWriter,
        reason: ReasonBubble,
    ) -> None:
        super().__init__(table, reason)
        self._drawing = table.itemDelegate()
        self._pinning, self._writer = pinning, writer

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: ModelIndex
    ) -> None:
        self._drawing.paint(painter, option, index)

    def write_cell(self, index: ModelIndex, text: str) -> None:
        # What was only looked at is not pinned.
        if text != index.data(EDIT):
            self._writer.write(self._pinning.cell(index), text)

    def write_selection(self, text: str) -> None:
        target = self._pinning.target()
        if target is not None:
            self._writer.write(target, text)
