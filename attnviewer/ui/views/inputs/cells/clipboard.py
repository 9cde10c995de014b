"""Copying, cutting and pasting blocks of cells."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QObject, QRect, Signal, Slot
from PySide6.QtGui import QGuiApplication

from attnviewer.compute import Array
from attnviewer.document import Dimensions, Region
from attnviewer.document.pasting import tiled
from attnviewer.document.text.blocks import MOST_COPIED, Block
from attnviewer.document.text.numpy_text import numpy_text
from attnviewer.ui.state.cursor import InputSelection
from attnviewer.ui.state.undo import EditStack
from attnviewer.ui.views.inputs.cells.table import CellTable
from attnviewer.ui.widgets.reason import ReasonBubble


@dataclass(slots=True, eq=False)
class _Pending:
    """A block that does not fit, until the user decides."""

    table: CellTable
    row: int
    column: int
    values: Array
    names: tuple[str, ...] = ()
    dimensions: Dimensions | None = None


class Clipboard(QObject):
    """Copies, cuts and pastes between the tables and the system clipboard."""

    notified = Signal(str)
    """Reports how a block was read, where that is not obvious."""
    offered = Signal(str, list)
    """Reports what does not fit, with pairs of a button's text and its action."""
    withdrawn = Signal()
    """The offer is no longer valid."""

    def __init__(
        self,
        edits: EditStack,
        reason: ReasonBubble,
        table_of: Callable[[str], CellTable | None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._reason = reason
        self._table_of = table_of
        self._pending: _Pending | None = None
        edits.indexChanged.connect(self._withdraw)
        edits.activeStackChanged.connect(self._withdraw)

    def copy(self, table: CellTable) -> bool:
        """Copy the selected cells; return whether there were any.

        Several blocks are copied as one if they span the same rows or columns.
        """
        blocks = self._copyable(table)
        if blocks:
            texts = [table.cells.block_text(block) for block in blocks]
            text = "\n".join(texts)
            if _side_by_side(blocks):
                # Only numbers have several columns: no cell contains a line break.
                lines = zip(*(each.splitlines() for each in texts), strict=True)
                text = "\n".join("\t".join(line) for line in lines)
            QGuiApplication.clipboard().setText(text)
        return bool(blocks)

    def copy_as_numpy(self, table: CellTable) -> None:
        """Copy the selected cells as a call of ``np.array``, with every digit."""
        blocks = self._copyable(table)
        if blocks:
            axis = 1 if _side_by_side(blocks) else 0
            values = np.concatenate([table.cells.values(b) for b in blocks], axis)
            QGuiApplication.clipboard().setText(numpy_text(values))

    def _copyable(self, table: CellTable) -> list[Region]:
        """Return the selected blocks in the order of their cells.

        Empty if they are too large or do not line up; the user is told why.
        """
        blocks = table.selected_blocks()
        count = sum(block.height * block.width for block in blocks)
        if not self._is_small(table, count):
            return []
        if not (_side_by_side(blocks) or _stacked(blocks)):
            self._refuse(
                table,
                self.tr(
                    "Several blocks can be copied only if they span the same rows or "
                    "the same columns."
                ),
            )
            return []
        return sorted(blocks, key=lambda block: (block.row, block.column))

    def copy_with_names(self, table: CellTable) -> None:
        """Copy the numbers of the selected rows, with the names of their tokens.

        All numbers of the rows if names are selected, otherwise the selected columns.
        """
        block, matrix = table.selected_block(), table.cells.matrix
        numbers = None if matrix is None else self._table_of(matrix)
        if block is None or numbers is None:
            return
        if numbers is not table:
            block = Region(block.row, 0, block.height, numbers.cells.columnCount())
        if self._is_small(table, block.height * block.width):
            QGuiApplication.clipboard().setText(numbers.cells.named_text(block))

    def cut(self, table: CellTable) -> None:
        """Copy the selected block, and set it to zero."""
        block = table.selected_block()
        if len(table.selected_blocks()) > 1:
            self._refuse(table, self.tr("Only one block can be cut at a time."))
        elif block is not None and self.copy(table):
            table.cells.cut_block(block)

    def paste(self, table: CellTable) -> None:
        """Write the clipboard's block at the upper left cell of the selection.

        It is repeated over a selection that is a multiple of its size. A block that
        does not fit changes nothing: ways out are offered. Token names before the
        numbers rename the tokens of their rows.
        """
        block = table.selected_block()
        if block is None:
            return
        self._withdraw()
        try:
            read = table.cells.read_block(QGuiApplication.clipboard().text())
            pending = self._pending_of(read, table, block)
        except ValueError as error:
            self._refuse(table, str(error))
            return
        if any(_beyond(pending)):
            self._offer(pending, read.notices)
        elif self._write(pending) and read.notices:
            self.notified.emit(" ".join(read.notices))

    def _pending_of(self, read: Block, table: CellTable, block: Region) -> _Pending:
        if not read.names:
            values = tiled(read.values, block)
            return _Pending(table, block.row, block.column, values)
        assert table.cells.matrix is not None  # others have no token names
        numbers = self._table_of(table.cells.matrix)
        assert numbers is not None  # beside the tokens
        column = block.column if numbers is table else 0
        return _Pending(numbers, block.row, column, read.values, read.names)

    @Slot()
    def paste_what_fits(self) -> None:
        """Paste the part of the pending block that fits."""
        pending, self._pending = self._pending, None
        if pending is not None:
            rows, columns = _beyond(pending)
            height, width = pending.values.shape
            pending.values = pending.values[: height - rows, : width - columns]
            pending.names = pending.names[: height - rows]
            pending.dimensions = None
            self._write(pending)

    @Slot()
    def paste_and_grow(self) -> None:
        """Paste the whole pending block, adding rows or widening matrices."""
        pending, self._pending = self._pending, None
        if pending is not None:
            self._write(pending)

    @Slot()
    def _withdraw(self) -> None:
        if self._pending is not None:
            self._pending = None
            self.withdrawn.emit()

    def _write(self, pending: _Pending) -> bool:
        """Write a block; return whether it was accepted."""
        table = pending.table
        block = Region(pending.row, pending.column, *pending.values.shape)
        selection, names = InputSelection(table.name, block), pending.names
        try:
            if names or pending.dimensions is not None:
                wider = pending.dimensions
                table.cells.paste_and_grow(selection, pending.values, names, wider)
            else:
                table.cells.paste(selection, pending.values)
        except ValueError as error:
            self._refuse(table, str(error))
            return False
        table.setFocus()
        table.select_block(block)
        return True

    def _is_small(self, table: CellTable, count: int) -> bool:
        """Return whether a number of cells can be copied; if not, say so."""
        if count <= MOST_COPIED:
            return True
        reason = self.tr(
            "A block to copy must have at most {most:,} cells. Got {count:,} instead."
        )
        self._refuse(table, reason.format(most=MOST_COPIED, count=count))
        return False

    def _offer(self, pending: _Pending, notices: Sequence[str]) -> None:
        rows, columns = _beyond(pending)
        height, width = pending.values.shape
        text = self.tr(
            "The block of {height}×{width} cells does not fit into {table} from row "
            "{row}, column {column} on, where there is room for {rows}×{columns}."
        ).format(
            height=height,
            width=width,
            table=pending.table.name,
            row=pending.row,
            column=pending.column,
            rows=height - rows,
            columns=width - columns,
        )
        offers = [(self.tr("&Paste what fits"), self.paste_what_fits)]
        if pending.table.cells.has_tokens and not columns:
            grow = self.tr("A&dd {count} tokens and paste").format(count=rows)
            if rows == 1:
                grow = self.tr("A&dd 1 token and paste")
            offers.insert(0, (grow, self.paste_and_grow))
        block = Region(pending.row, pending.column, height, width)
        growth = pending.table.cells.growth(block)
        if growth is not None:
            pending.dimensions = growth.dimensions
            text = f"{text} {growth.effect}".strip()
            offers.insert(0, (growth.title, self.paste_and_grow))
        self._pending = pending
        self.offered.emit(" ".join([*notices, text]), offers)

    def _refuse(self, table: CellTable, reason: str) -> None:
        cell = table.visualRect(table.currentIndex())
        corner = table.viewport().mapToGlobal(cell.topLeft())
        self._reason.say(reason, QRect(corner, cell.size()))


def _side_by_side(blocks: Sequence[Region]) -> bool:
    """Return whether several blocks span the same rows."""
    return len(blocks) > 1 and len({(b.row, b.height) for b in blocks}) == 1


def _stacked(blocks: Sequence[Region]) -> bool:
    """Return whether blocks span the same columns; true for at most one block."""
    return len({(block.column, block.width) for block in blocks}) <= 1


def _beyond(pending: _Pending) -> tuple[int, int]:
    """Return how many rows and columns of a block lie beyond the table."""
    height, width = pending.values.shape
    cells = pending.table.cells
    return (
        max(0, pending.row + height - cells.rowCount()),
        max(0, pending.column + width - cells.columnCount()),
    )
