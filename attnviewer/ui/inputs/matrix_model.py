"""A matrix as a table."""

import math
from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QModelIndex, QObject, Qt

from attnviewer.compute import Array
from attnviewer.document import (
    Block,
    Change,
    Document,
    Region,
    SequenceName,
    SetCells,
    block_text,
    exact_text,
    indexed_name,
    parse_block,
    parse_number,
    paste_and_grow,
)
from attnviewer.document.matrices import BIAS, MASK
from attnviewer.ui.cursor import InputPlace
from attnviewer.ui.inputs.cell_model import CellModel, Place
from attnviewer.ui.item_roles import (
    ACCESSIBLE_TEXT,
    ALIGNMENT,
    DISPLAY,
    EDIT,
    RIGHT,
    TOOL_TIP,
)
from attnviewer.ui.numbers import decimals_for, fitted_number, full_number
from attnviewer.ui.tool_tips import plain_tip
from attnviewer.ui.undo import EditStack

CELL_CHARACTERS = 7
"""Room for a number in a cell."""

_ROOT = QModelIndex()
_SIDES = (Qt.Orientation.Vertical, Qt.Orientation.Horizontal)


class MatrixModel(CellModel):
    """One matrix of the document.

    Parameters
    ----------
    document : Document
        What the matrix belongs to.
    edits : EditStack
        Where edits go.
    name : str
        The matrix. The rows of ``X`` bear the tokens' names.
    parent : QObject, optional
        Qt's owner.
    """

    def __init__(
        self,
        document: Document,
        edits: EditStack,
        name: str,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(document, edits, parent)
        self._name = name
        self.look_again()

    @property
    def name(self) -> str:
        """The matrix."""
        return self._name

    def look_again(self) -> None:
        # A view of the document's own array: it follows every SetCells by itself.
        self._values = self._document.matrix(self._name)
        self._names = _names_of(self._document, self._name)
        self._decimals = _decimals(self._values)

    def take_lines(self, orientation: Qt.Orientation, order: list[int]) -> None:
        axis = _SIDES.index(orientation)
        self._values = np.take(self._values, order, axis)
        names = list(self._names)
        names[axis] = [names[axis][line] for line in order]
        self._names = names[0], names[1]

    def follow(self, change: Change) -> None:
        if change.matrix is None:
            self._follow_replacement()
        elif change.matrix == self._name:
            assert change.region is not None
            self.emit_cells(change.region)
            self._follow_decimals()

    def _follow_replacement(self) -> None:
        values, names = self._document.matrix(self._name), self._names
        replaced = not np.may_share_memory(values, self._values)
        renamed = _names_of(self._document, self._name)
        for side, before, after in zip(_SIDES, names, renamed, strict=True):
            self.follow_lines(side, before, after)
        self.look_again()
        if replaced:
            self.emit_cells(self._all_cells())
        for side, before, after in zip(_SIDES, names, renamed, strict=True):
            if before != after:
                self.headerDataChanged.emit(side, 0, len(after) - 1)

    def _follow_decimals(self) -> None:
        decimals = _decimals(self._values)
        if decimals != self._decimals:
            self._decimals = decimals
            self.emit_cells(self._all_cells(), DISPLAY)

    # ---------------------------------------------------------------- reading

    def rowCount(self, parent: Place = _ROOT) -> int:
        return 0 if parent.isValid() else int(self._values.shape[0])

    def columnCount(self, parent: Place = _ROOT) -> int:
        return 0 if parent.isValid() else int(self._values.shape[1])

    def data(self, index: Place, role: int = DISPLAY) -> object:
        if role == DISPLAY:
            if not index.isValid():
                return None
            value = float(self._values[index.row(), index.column()])
            return fitted_number(value, self._decimals, CELL_CHARACTERS)
        if role == ALIGNMENT:
            return RIGHT
        if role == EDIT:
            return self.exact_text(index.row(), index.column())
        if role == TOOL_TIP:
            name = self.cell_name(index.row(), index.column())
            number = full_number(self._values[index.row(), index.column()])
            return plain_tip(f"{name} = {number}")
        if role == ACCESSIBLE_TEXT:
            return self.tr("{matrix}, row {row}, column {column}: {number}").format(
                matrix=self._name,
                row=self._row_label(index.row()),
                column=self._column_label(index.column()),
                number=self.exact_text(index.row(), index.column()),
            )
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = DISPLAY
    ) -> object:
        if role != DISPLAY:
            return None
        if orientation == Qt.Orientation.Vertical:
            return self._row_label(section)
        return self._column_label(section)

    def exact_text(self, row: int, column: int) -> str:
        return exact_text(float(self._values[row, column]))

    def cell_name(self, row: int, column: int) -> str:
        """Return what a cell is called, such as ``W_Q[0, 2]``."""
        return indexed_name(
            self._name, self._row_label(row), self._column_label(column)
        )

    # ---------------------------------------------------------------- writing

    def write(self, row: int, column: int, text: str) -> None:
        number = parse_number(text, infinite=self._name == BIAS)
        label = self.tr("Set {cell} to {number}").format(
            cell=self.cell_name(row, column), number=exact_text(number)
        )
        self._set_cells(label, row, column, np.array([[number]]))

    def clear_block(self, block: Region) -> None:
        if block.height == block.width == 1:
            self.write(block.row, block.column, "0")
            return
        label = self.tr("Set {count} cells of {matrix} to 0").format(
            count=block.height * block.width, matrix=self._name
        )
        self._set_to_zero(label, block)

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
        self._set_to_zero(label, block)

    def block_text(self, block: Region) -> str:
        return block_text(self._values[block.rows, block.columns])

    def read_block(self, text: str) -> Block:
        return parse_block(text, infinite=self._name == BIAS)

    def paste(self, place: InputPlace, values: Array) -> None:
        label = self.tr("Paste into {matrix}").format(matrix=self._name)
        row, column = place.block.row, place.block.column
        if place.block.rows.stop > self.rowCount():
            sequence: SequenceName = "X" if self._name == "X" else "context"
            edit = paste_and_grow(self._document, sequence, row, column, values, label)
            self._edits.submit(edit, then=place)
        else:
            self._set_cells(label, row, column, values, then=place)

    @property
    def has_tokens(self) -> bool:
        return self._name in ("X", "context")

    def number(self, row: int, column: int) -> float | None:
        number = float(self._values[row, column])
        return number if math.isfinite(number) else None

    def scrub(self, place: InputPlace, number: float, gesture: object) -> None:
        row, column = place.block.row, place.block.column
        label = self.tr("Scrub {cell} to {number}").format(
            cell=self.cell_name(row, column), number=exact_text(number)
        )
        values = np.array([[number]])
        self._set_cells(label, row, column, values, then=place, gesture=gesture)

    def _set_to_zero(self, label: str, block: Region) -> None:
        zeros = np.zeros((block.height, block.width))
        self._set_cells(label, block.row, block.column, zeros)

    def _set_cells(
        self,
        label: str,
        row: int,
        column: int,
        values: Array,
        *,
        then: InputPlace | None = None,
        gesture: object | None = None,
    ) -> None:
        height, width = values.shape
        present = self._values[row : row + height, column : column + width]
        # By their bits, as −0.0 is another number than 0.0 where a person types it.
        if present.tobytes() != values.tobytes():
            edit = SetCells(label, self._name, row, column, values)
            self._edits.submit(edit, then=then, gesture=gesture)

    def _row_label(self, row: int) -> str:
        return str(self._names[0][row])

    def _column_label(self, column: int) -> str:
        return str(self._names[1][column])

    def _all_cells(self) -> Region:
        return Region(0, 0, self.rowCount(), self.columnCount())


def _names_of(
    document: Document, name: str
) -> tuple[Sequence[object], Sequence[object]]:
    """Return what rows and columns are called: tokens, or features by their places."""
    rows, columns = document.matrix(name).shape
    labels = document.labels
    if name in (BIAS, MASK) and (rows, columns) == tuple(map(len, labels)):
        return labels
    sequences = {"X": document.tokens, "context": document.context_tokens}
    return sequences.get(name, range(rows)), range(columns)


def _decimals(values: Array) -> int:
    largest = max(float(values.max()), -float(values.min()))
    before_point = len(str(math.floor(largest))) if largest < 1e6 else 1
    most = min(max(CELL_CHARACTERS - 2 - before_point, 2), 4)
    decimals = 0
    # In blocks, as a few numbers with many digits end the search.
    for row in range(0, len(values), 256):
        decimals = max(decimals, decimals_for(values[row : row + 256], most))
        if decimals == most:
            break
    return decimals
