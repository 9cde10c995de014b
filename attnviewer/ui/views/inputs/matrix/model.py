"""A matrix as a table."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QModelIndex, QObject, Qt

from attnviewer.compute import Array
from attnviewer.document import (
    Change,
    Dimensions,
    Document,
    Region,
    SetCells,
    exact_text,
    parse_number,
)
from attnviewer.document.labels import indexed_name
from attnviewer.document.matrices import BIAS, same_bits
from attnviewer.document.pasting import paste_and_grow
from attnviewer.document.text.blocks import Block, block_text, parse_block
from attnviewer.document.text.labelled_arrays import parse_labelled
from attnviewer.document.text.named_blocks import named_block_text, parse_named_block
from attnviewer.ui.state.cursor import InputSelection
from attnviewer.ui.state.undo import EditStack
from attnviewer.ui.text.number_format import AUTOMATIC, Decimals, NumberFormat
from attnviewer.ui.text.numbers import full_number
from attnviewer.ui.text.tokens import token_label
from attnviewer.ui.views.inputs.cells.growth import Growth
from attnviewer.ui.views.inputs.cells.model import CellModel, Values
from attnviewer.ui.views.inputs.matrix.growth import growth_for
from attnviewer.ui.views.inputs.matrix.headings import headings_of
from attnviewer.ui.views.inputs.matrix.limits import Limits
from attnviewer.ui.views.inputs.tokens.edits import sequence_at
from attnviewer.ui.widgets.item_roles import (
    ACCESSIBLE_TEXT,
    ALIGNMENT,
    DISPLAY,
    EDIT,
    RIGHT,
    TOOL_TIP,
    ModelIndex,
)
from attnviewer.ui.widgets.tool_tips import plain_tip

MOST_COMPARED = 2**20
"""The most cells that are compared one by one with those they replace."""

_ROOT = QModelIndex()
_SIDES = (Qt.Orientation.Vertical, Qt.Orientation.Horizontal)


class MatrixModel(CellModel):
    """One matrix of the document."""

    def __init__(
        self,
        document: Document,
        edits: EditStack,
        name: str,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(document, edits, parent)
        self._name = name
        self._format = AUTOMATIC
        self.reload()

    @property
    def name(self) -> str:
        """The matrix."""
        return self._name

    @property
    def format(self) -> NumberFormat:
        """The format of the numbers."""
        return self._format

    def set_format(self, format_: NumberFormat) -> None:
        """Set the number format."""
        if format_ != self._format:
            self._format = format_
            self.emit_cells(self._all_cells(), DISPLAY)

    def format_with(self, more: int) -> NumberFormat:
        """Return the current format with more digits."""
        return self._format.stepped(more, self._decimals)

    def reload(self) -> None:
        # A view of the document's own array: it follows every SetCells by itself.
        self._values = self._document.matrix(self._name)
        self.row_headings, self.column_headings = headings_of(
            self._document, self._name
        )
        self._decimals = Decimals.of(self._values)
        self._limits: Limits | None = None

    def take_lines(self, orientation: Qt.Orientation, order: list[int]) -> None:
        axis = _SIDES.index(orientation)
        self._values = np.take(self._values, order, axis)
        headings = [self.row_headings, self.column_headings]
        tokens = headings[axis].tokens
        taken = tuple(tokens[line] for line in order) if tokens else ()
        headings[axis] = replace(
            headings[axis], count=len(order), tokens=taken, heads=1
        )
        self.row_headings, self.column_headings = headings

    def follow(self, change: Change) -> None:
        if change.matrix is None:
            self._follow_replacement()
        elif change.matrix == self._name:
            region = change.region
            assert region is not None
            self._follow_cells(
                region, self._decimals.after(self._values, region.rows, region.columns)
            )
            self.edited.emit(region, None)

    def _follow_cells(self, region: Region, decimals: Decimals) -> None:
        if self._limits is not None:
            self._limits.look_at(self._values, region.rows)
        self.emit_cells(region)
        if decimals != self._decimals:
            self._decimals = decimals
            self.emit_cells(self._all_cells(), DISPLAY)

    def _follow_replacement(self) -> None:
        values, shown = self._document.matrix(self._name), self._values
        before = self.row_headings, self.column_headings
        headings = headings_of(self._document, self._name)
        for side, old, new in zip(_SIDES, before, headings, strict=True):
            self.follow_lines(side, old.names, new.names)
        if self._values is not shown or not np.may_share_memory(values, shown):
            shown, self._values = self._values, values
            self._limits = None
            everything = self._all_cells()
            self._follow_cells(everything, Decimals.of(values))
            few = values.size <= MOST_COMPARED
            self.edited.emit(everything, values != shown if few else None)
        self.row_headings, self.column_headings = headings
        for side, old, new in zip(_SIDES, before, headings, strict=True):
            if old != new:
                self.headerDataChanged.emit(side, 0, new.count - 1)

    # ---------------------------------------------------------------- reading

    def rowCount(self, parent: ModelIndex = _ROOT) -> int:
        return 0 if parent.isValid() else int(self._values.shape[0])

    def columnCount(self, parent: ModelIndex = _ROOT) -> int:
        return 0 if parent.isValid() else int(self._values.shape[1])

    def data(self, index: ModelIndex, role: int = DISPLAY) -> object:
        if role == DISPLAY:
            if not index.isValid():
                return None
            value = float(self._values[index.row(), index.column()])
            return self._format.write(value, self._decimals)
        if role == ALIGNMENT:
            return RIGHT
        if role == EDIT:
            return self.exact_text(index.row(), index.column())
        if role == TOOL_TIP:
            return plain_tip(self._in_full(index.row(), index.column(), str))
        if role == ACCESSIBLE_TEXT:
            return self.tr("{matrix}, row {row}, column {column}: {number}").format(
                matrix=self._name,
                row=self.row_headings.name(index.row()),
                column=self.column_headings.name(index.column()),
                number=self.exact_text(index.row(), index.column()),
            )
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = DISPLAY
    ) -> object:
        down = orientation == Qt.Orientation.Vertical
        headings = self.row_headings if down else self.column_headings
        if role == DISPLAY:
            return headings.label(section)
        if role == TOOL_TIP:
            return plain_tip(headings.tip(section))
        return None

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.rowCount(), self.columnCount()

    @property
    def row_heading_characters(self) -> int:
        return self.row_headings.characters

    @property
    def longest_text(self) -> int:
        """The characters of the longest number or heading of a column."""
        low, high = self.limits()
        heading = self.column_headings.characters
        usual, most = self._decimals
        if self._format != AUTOMATIC or usual == most:
            return max(heading, self._format.characters)
        ends = (self._format.write(end, self._decimals) for end in (low, high))
        return max(heading, *map(len, ends))

    def shown_texts(self, block: Region) -> list[list[str]]:
        write, decimals = self._format.write, self._decimals
        rows = self.values(block).tolist()
        return [[write(value, decimals) for value in row] for row in rows]

    def values(self, block: Region) -> Array:
        return self._values[block.rows, block.columns].astype(np.float64)

    def limits(self) -> tuple[float, float]:
        """Return the smallest and the largest finite number of the whole matrix."""
        if self._limits is None:
            self._limits = Limits(self._values)
        return self._limits.ends

    def exact_text(self, row: int, column: int) -> str:
        return exact_text(float(self._values[row, column]))

    def cell_name(self, row: int, column: int) -> str:
        """Return the name of a cell, such as ``W_Q[0, 2]``."""
        return self._name_of(row, column, str)

    def status_text(self, row: int, column: int) -> str:
        return self._in_full(row, column, token_label)

    def _in_full(self, row: int, column: int, shorten: Callable[[str], str]) -> str:
        name = self._name_of(row, column, shorten)
        return f"{name} = {full_number(float(self._values[row, column]))}"

    def _name_of(self, row: int, column: int, shorten: Callable[[str], str]) -> str:
        down = self.row_headings.name(row, shorten)
        across = self.column_headings.name(column, shorten)
        return indexed_name(self._name, down, across)

    # ---------------------------------------------------------------- writing

    def read(self, text: str) -> float:
        return parse_number(text, infinite=self._name == BIAS)

    def write(self, row: int, column: int, text: str) -> None:
        number = self.read(text)
        label = self.tr("Set {cell} to {number}").format(
            cell=self.cell_name(row, column), number=exact_text(number)
        )
        self._set_cells(label, row, column, np.array([[number]]))

    def write_blocks(
        self,
        label: str,
        blocks: Sequence[tuple[Region, Values]],
        then: InputSelection | None = None,
    ) -> None:
        gesture = object()
        for block, values in blocks:
            self._set_cells(
                label, block.row, block.column, values, then=then, gesture=gesture
            )

    def clear_blocks(self, blocks: Sequence[Region]) -> None:
        count = sum(block.height * block.width for block in blocks)
        if count == 1:
            self.write(blocks[0].row, blocks[0].column, "0")
            return
        label = self.tr("Set {count} cells of {matrix} to 0").format(
            count=count, matrix=self._name
        )
        self._set_to_zero(label, blocks)

    def cut_block(self, block: Region) -> None:
        if block.height == block.width == 1:
            cut = self.tr("Cut {cell}")
        else:
            cut = self.tr("Cut {count} cells of {matrix}")
        label = cut.format(
            cell=self.cell_name(block.row, block.column),
            count=block.height * block.width,
            matrix=self._name,
        )
        self._set_to_zero(label, [block])

    def block_text(self, block: Region) -> str:
        return block_text(self._values[block.rows, block.columns])

    def named_text(self, block: Region) -> str:
        names = self.row_headings.tokens[block.rows]
        return named_block_text(names, self._values[block.rows, block.columns])

    def read_block(self, text: str) -> Block:
        try:
            block = parse_block(text, infinite=self._name == BIAS)
        except ValueError:
            other = parse_labelled(text, self._name)
            if other is None and self.has_tokens:
                other = parse_named_block(text)
            if other is None:
                raise
            return other
        return block if self.has_tokens else replace(block, names=())

    def paste(self, selection: InputSelection, values: Array) -> None:
        if selection.block.rows.stop > self.rowCount():
            self.paste_and_grow(selection, values)
        else:
            label = self.tr("Paste into {matrix}").format(matrix=self._name)
            row, column = selection.block.row, selection.block.column
            self._set_cells(label, row, column, values, then=selection)

    def paste_and_grow(
        self,
        selection: InputSelection,
        values: Array,
        names: Sequence[str] = (),
        dimensions: Dimensions | None = None,
    ) -> None:
        edit = paste_and_grow(
            self._document,
            self._name,
            selection.block.row,
            selection.block.column,
            values,
            self.tr("Paste into {matrix}").format(matrix=self._name),
            names=names,
            dimensions=dimensions,
        )
        self._edits.submit(edit, then=selection)

    def growth(self, block: Region) -> Growth | None:
        return growth_for(self._document, self._name, block)

    @property
    def matrix(self) -> str:
        return self._name

    @property
    def has_tokens(self) -> bool:
        return sequence_at(self._document, self._name) is not None

    @property
    def has_numbers(self) -> bool:
        return True

    def number(self, row: int, column: int) -> float | None:
        number = float(self._values[row, column])
        return number if math.isfinite(number) else None

    def scrub(self, selection: InputSelection, number: float, gesture: object) -> None:
        row, column = selection.block.row, selection.block.column
        label = self.tr("Scrub {cell} to {number}").format(
            cell=self.cell_name(row, column), number=exact_text(number)
        )
        values = np.array([[number]])
        self._set_cells(label, row, column, values, then=selection, gesture=gesture)

    def _set_to_zero(self, label: str, blocks: Sequence[Region]) -> None:
        zeros = [(block, np.zeros((block.height, block.width))) for block in blocks]
        self.write_blocks(label, zeros)

    def _set_cells(
        self,
        label: str,
        row: int,
        column: int,
        values: Array,
        *,
        then: InputSelection | None = None,
        gesture: object | None = None,
    ) -> None:
        height, width = values.shape
        present = self._values[row : row + height, column : column + width]
        # An editor may close when another document has just been opened.
        is_open = self._document is self._edits.document
        if is_open and not same_bits(present, values):
            edit = SetCells(label, self._name, row, column, values)
            self._edits.submit(edit, then=then, gesture=gesture)

    def _all_cells(self) -> Region:
        return Region(0, 0, self.rowCount(), self.columnCount())
