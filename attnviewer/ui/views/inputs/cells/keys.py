"""Keyboard navigation and selection in a table, as in Excel."""

from dataclasses import dataclass

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QModelIndex, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QTableView

from attnviewer.document import Region

Cell = tuple[int, int]
"""Row and column."""

_ARROWS = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}
_PAGES = {Qt.Key.Key_PageUp: -1, Qt.Key.Key_PageDown: 1}
_ENDS = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: -1}
_SHIFT = Qt.KeyboardModifier.ShiftModifier
_CONTROL = Qt.KeyboardModifier.ControlModifier
_KNOWN = _SHIFT | _CONTROL | Qt.KeyboardModifier.KeypadModifier
_Select = QItemSelectionModel.SelectionFlag


@dataclass(slots=True)
class _TabRun:
    """A run of Tabs, and the column in which it began."""

    column: int
    typed: bool = False


class CellKeys:
    """Moves the current cell and the selection of a table.

    The current cell is where a block of the selection began; Shift moves the corner
    opposite to it. Enter and Tab go round inside a selection of more than one cell.
    Elsewhere, Enter after a run of Tabs returns to the column where the row was begun.
    Hidden columns are neither entered nor selected.

    Parameters
    ----------
    table : QTableView
        The table. Its selection may have several blocks.
    """

    def __init__(self, table: QTableView) -> None:
        self._table = table
        self._run: _TabRun | None = None

    def end_run(self) -> None:
        """End the run of Tabs, as the current cell moves in another way."""
        self._run = None

    def press(self, event: QKeyEvent) -> bool:
        """Handle a key; return whether it changes the current cell or the selection."""
        modifiers = event.modifiers()
        if not self._table.currentIndex().isValid() or modifiers & ~_KNOWN:
            return False
        shift, control = bool(modifiers & _SHIFT), bool(modifiers & _CONTROL)
        if event.key() == Qt.Key.Key_Space and (shift or control):
            self._select_lines(rows=shift, columns=control)
            return True
        start = self._moving_corner() if shift else self._current()
        target = self._target(Qt.Key(event.key()), control, start)
        if target is None:
            return False
        if shift:
            self.extend_to(*target)
        else:
            self.go(*target)
        return True

    def go(self, row: int, column: int) -> None:
        """Make a cell current and select only it."""
        self._set_current(row, column, _Select.ClearAndSelect)

    def extend_to(self, row: int, column: int) -> None:
        """Select from the current cell to another one, and scroll to that.

        Other selected blocks are kept.
        """
        model = self._table.model()
        current, corner = self._table.currentIndex(), model.index(row, column)
        rows = sorted((current.row(), row))
        columns = sorted((current.column(), column))
        block = QItemSelection(
            model.index(rows[0], columns[0]), model.index(rows[1], columns[1])
        )
        cell, every = Region(current.row(), current.column(), 1, 1), QItemSelection()
        for other in (each for each in self.blocks() if not each.contains(cell)):
            every.select(*self._corners(other))
        every.merge(block, _Select.Select)
        self._table.selectionModel().select(every, _Select.ClearAndSelect)
        self._table.scrollTo(corner)

    def enter(self, rows: int) -> None:
        """Move down or up; within a selection, wrap to its next or previous column."""
        if self._go_round(rows, down=True):
            return
        row, column = self._current()
        if 0 <= row + rows < self._table.model().rowCount():
            self.go(row + rows, column if self._run is None else self._run.column)

    def tab(self, columns: int, *, typed: bool = False) -> bool:
        """Move along the rows; within a selection, wrap around.

        Parameters
        ----------
        columns : int
            The distance; negative moves back.
        typed : bool
            Whether the key committed a typed text.

        Returns
        -------
        bool
            False if the focus must leave the table: at its ends, but not in a run in
            which something was typed, as the next text would overwrite a number of
            another table.
        """
        if not self._table.currentIndex().isValid():
            return False
        if self._go_round(columns, down=False):
            return True
        row, column = self._current()
        run = self._run or _TabRun(column)
        run.typed |= typed
        model = self._table.model()
        begun, shown = row, self._columns()
        place = row * len(shown) + column - shown.start + columns
        row, column = place // len(shown), shown[place % len(shown)]
        if not 0 <= row < model.rowCount():
            self._run = None
            return run.typed
        if row != begun:
            run.column = column
        self.go(row, column)
        self._run = run  # moving has ended it
        return True

    def select_all(self) -> None:
        """Select all cells."""
        shown, rows = self._columns(), self._table.model().rowCount()
        self._select_between((0, shown[0]), (rows - 1, shown[-1]))

    def select(self, block: Region) -> None:
        """Select cells, as far as they are there, and show them."""
        table, model = self._table, self._table.model()
        rows, columns = model.rowCount(), model.columnCount()
        first = model.index(min(block.row, rows - 1), min(block.column, columns - 1))
        last = model.index(
            min(block.rows.stop, rows) - 1, min(block.columns.stop, columns) - 1
        )
        if not first.isValid():
            return
        cells = QItemSelection(first, last) if last.isValid() else QItemSelection()
        # The current cell stays if it is inside the block.
        if self.blocks() != [block] or not cells.contains(table.currentIndex()):
            table.selectionModel().setCurrentIndex(first, _Select.NoUpdate)
            table.selectionModel().select(cells, _Select.ClearAndSelect)
        table.scrollTo(table.currentIndex())

    def blocks(self) -> list[Region]:
        """Return the blocks of the selection, the oldest first; none overlap."""
        return [
            Region(block.top(), block.left(), block.height(), block.width())
            for block in self._table.selectionModel().selection().toList()
        ]

    def selected(self) -> Region | None:
        """Return the block that the current cell is in, or else the last one."""
        blocks, cell = self.blocks(), Region(*self._current(), 1, 1)
        inside = (block for block in blocks if block.contains(cell))
        return next(inside, blocks[-1] if blocks else None)

    def _columns(self) -> range:
        """Return the columns that are shown, which are adjacent."""
        header = self._table.horizontalHeader()
        every = range(self._table.model().columnCount())
        if not header.hiddenSectionCount():
            return every
        shown = [column for column in every if not header.isSectionHidden(column)]
        return range(shown[0], shown[-1] + 1) if shown else every

    def _current(self) -> Cell:
        index = self._table.currentIndex()
        return index.row(), index.column()

    def _set_current(
        self, row: int, column: int, select: QItemSelectionModel.SelectionFlag
    ) -> None:
        # Qt's own method would apply the current modifiers: Shift+Enter would select.
        index = self._table.model().index(row, column)
        self._table.selectionModel().setCurrentIndex(index, select)

    def _corners(self, block: Region) -> tuple[QModelIndex, QModelIndex]:
        model = self._table.model()
        return (
            model.index(block.row, block.column),
            model.index(block.rows.stop - 1, block.columns.stop - 1),
        )

    def _go_round(self, step: int, *, down: bool) -> bool:
        """Move to the next or previous cell of the selection, block by block.

        Return whether the current cell is in a selection of more than one cell.
        """
        blocks, (row, column) = self.blocks(), self._current()
        cell = Region(row, column, 1, 1)
        at = next((i for i, block in enumerate(blocks) if block.contains(cell)), None)
        if at is None or blocks == [cell]:
            return False
        block = blocks[at]
        if down:
            index = (column - block.column) * block.height + row - block.row + step
        else:
            index = (row - block.row) * block.width + column - block.column + step
        if not 0 <= index < block.height * block.width:
            block = blocks[(at + step) % len(blocks)]
            index = 0 if step > 0 else block.height * block.width - 1
        if down:
            across, along = divmod(index, block.height)
        else:
            along, across = divmod(index, block.width)
        row, column = block.row + along, block.column + across
        self._set_current(row, column, _Select.NoUpdate)
        return True

    def _moving_corner(self) -> Cell:
        """Return the corner of the selection opposite the current cell."""
        row, column = self._current()
        block = self.selected()
        if block is None or not block.contains(Region(row, column, 1, 1)):
            return row, column
        edges = {block.row, block.rows.stop - 1}, {block.column, block.columns.stop - 1}
        if row not in edges[0] or column not in edges[1]:
            return row, column
        return (
            sum(edges[0]) - row if len(edges[0]) == 2 else row,
            sum(edges[1]) - column if len(edges[1]) == 2 else column,
        )

    def _target(self, key: Qt.Key, control: bool, start: Cell) -> Cell | None:
        row, column = start
        shown = self._columns()
        first = 0, shown[0]
        last = self._table.model().rowCount() - 1, shown[-1]
        if key in _ENDS:
            end = last if _ENDS[key] else first
            return end if control else (row, end[1])
        if key in _PAGES and not control:
            down, across = _PAGES[key] * self._page(), 0
        elif key in _ARROWS:
            down, across = _ARROWS[key]
            if control:
                down, across = down * last[0], across * len(shown)
        else:
            return None
        return (
            min(max(row + down, 0), last[0]),
            min(max(column + across, first[1]), last[1]),
        )

    def _page(self) -> int:
        row = self._table.verticalHeader().defaultSectionSize()
        return max(1, self._table.viewport().height() // row - 1)

    def _select_lines(self, *, rows: bool, columns: bool) -> None:
        block, model = self.selected(), self._table.model()
        row, column = self._current()
        if block is None:
            block = Region(row, column, 1, 1)
        shown = self._columns()
        first = 0 if columns else block.row, shown[0] if rows else block.column
        last = (
            model.rowCount() - 1 if columns else block.rows.stop - 1,
            shown[-1] if rows else block.columns.stop - 1,
        )
        self._select_between(first, last)

    def _select_between(self, first: Cell, last: Cell) -> None:
        model = self._table.model()
        cells = QItemSelection(model.index(*first), model.index(*last))
        self._table.selectionModel().select(cells, _Select.ClearAndSelect)
