"""The base class of the models of editable tables."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt, Signal

from attnviewer.compute import Array
from attnviewer.document import Change, Dimensions, Document, Region
from attnviewer.document.text.blocks import Block
from attnviewer.ui.state.cursor import InputSelection
from attnviewer.ui.state.undo import EditStack
from attnviewer.ui.text.spreadsheet import spreadsheet_text
from attnviewer.ui.text.tokens import token_line
from attnviewer.ui.views.inputs.cells.growth import Growth
from attnviewer.ui.views.inputs.cells.line_changes import line_change
from attnviewer.ui.widgets.item_roles import ACCESSIBLE_TEXT, DISPLAY, EDIT, ModelIndex

Values: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[Any]]
"""Numbers, names or truth values of cells, shape (height, width)."""

EDITABLE = (
    Qt.ItemFlag.ItemIsEnabled
    | Qt.ItemFlag.ItemIsSelectable
    | Qt.ItemFlag.ItemIsEditable
    | Qt.ItemFlag.ItemNeverHasChildren
)


class CellModel(QAbstractTableModel):
    """Cells of a document, to be shown and written.

    It holds no data: it shows the document's cells and turns texts into edits. Its
    owner passes the document's changes on to `follow`.

    Parameters
    ----------
    document : Document
        The document.
    edits : EditStack
        Where edits go.
    parent : QObject, optional
        The Qt parent.
    """

    edited = Signal(object, object)
    """An edit changed cells: their `Region`, and which of them, shape (height, width),
    or None for all."""

    def __init__(
        self, document: Document, edits: EditStack, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._edits = edits

    def set_document(self, document: Document) -> None:
        """Show another document."""
        self.beginResetModel()
        self._document = document
        self.reload()
        self.endResetModel()

    @abstractmethod
    def reload(self) -> None:
        """Read the model's parts of the document again."""

    def take_lines(self, orientation: Qt.Orientation, order: list[int]) -> None:
        """Reorder the shown rows or columns; some may be repeated or dropped.

        Only called for models that use `follow_lines`.
        """

    @abstractmethod
    def follow(self, change: Change) -> None:
        """Notify the views of the cells affected by a change of the document."""

    @abstractmethod
    def write(self, row: int, column: int, text: str) -> None:
        """Submit a text as an edit of a cell, unless it changes nothing.

        Raises
        ------
        ValueError
            With the reason why the text is refused.
        """

    @abstractmethod
    def read(self, text: str) -> object:
        """Return the value of a cell that a typed text stands for.

        Raises
        ------
        ValueError
            With the reason why the text is refused.
        """

    @abstractmethod
    def values(self, block: Region) -> Values:
        """Return the values of cells, as `write_blocks` takes them."""

    @abstractmethod
    def write_blocks(
        self,
        label: str,
        blocks: Sequence[tuple[Region, Values]],
        then: InputSelection | None = None,
    ) -> None:
        """Write values into blocks of cells, in one step of undo.

        Parameters
        ----------
        label : str
            What undo calls it.
        blocks : sequence of (Region, ndarray)
            Cells, and their values, shape (height, width).
        then : InputSelection, optional
            What is selected afterwards; by default what is selected now.
        """

    @abstractmethod
    def exact_text(self, row: int, column: int) -> str:
        """Return a text that, written back, leaves the cell unchanged."""

    def status_text(self, row: int, column: int) -> str:
        """Return the status bar's text about a cell."""
        return token_line(str(self.data(self.index(row, column), ACCESSIBLE_TEXT)))

    def shown_texts(self, block: Region) -> list[list[str]]:
        """Return the displayed texts of cells, row by row."""
        columns = range(block.column, block.column + block.width)
        return [
            [str(self.data(self.index(row, column), DISPLAY)) for column in columns]
            for row in range(block.row, block.row + block.height)
        ]

    @property
    def row_heading_characters(self) -> int:
        """The characters of the longest row heading."""
        return len(str(self.rowCount() - 1))

    @property
    def longest_text(self) -> int:
        """The characters of the longest text of a cell."""
        return 1

    def clear_blocks(self, blocks: Sequence[Region]) -> None:
        """Set cells to the empty value, if there is one."""

    def cut_block(self, block: Region) -> None:
        """Clear cells that were cut."""
        self.clear_blocks([block])

    @abstractmethod
    def read_block(self, text: str) -> Block:
        """Parse the clipboard's text as values of these cells.

        Raises
        ------
        ValueError
            With the reason why the text is refused.
        """

    @abstractmethod
    def paste(self, selection: InputSelection, values: Array) -> None:
        """Write values, unless they change nothing, and select their cells.

        Parameters
        ----------
        selection : InputSelection
            Where they go, as large as they are.
        values : ndarray, shape (rows, columns)
            As `read_block` returns them. Rows below the last one are new tokens, if
            the rows are tokens.
        """

    def paste_and_grow(
        self,
        selection: InputSelection,
        values: Array,
        names: Sequence[str] = (),
        dimensions: Dimensions | None = None,
    ) -> None:
        """Write values as `paste` does, with names of tokens, or in a wider matrix.

        Parameters
        ----------
        selection, values
            As for `paste`.
        names : sequence of str
            What the tokens of the rows are called from then on.
        dimensions : Dimensions, optional
            The dimensions that the document gets, see `growth`.
        """
        self.paste(selection, values)

    def named_text(self, block: Region) -> str:
        """Return numbers as text for the clipboard, preceded by token names."""
        return self.block_text(block)

    def growth(self, block: Region) -> Growth | None:
        """Return the dimensions that would make a block fit, if any."""
        return None

    @property
    def matrix(self) -> str | None:
        """The matrix with the numbers of the rows, if there is one."""
        return None

    @property
    def has_tokens(self) -> bool:
        """Whether each row is a token, so that there can be more rows."""
        return False

    @property
    def has_numbers(self) -> bool:
        """Whether the values of the cells are numbers."""
        return False

    def number(self, row: int, column: int) -> float | None:
        """Return the number of a cell; None if it cannot be scrubbed."""
        return None

    def scrub(self, selection: InputSelection, number: float, gesture: object) -> None:
        """Set the cell of a place, in one step of undo with all of the gesture."""

    def block_text(self, block: Region) -> str:
        """Return cells as text for the clipboard."""
        columns = range(block.column, block.column + block.width)
        return spreadsheet_text(
            (self.exact_text(row, column) for column in columns)
            for row in range(block.row, block.row + block.height)
        )

    def follow_lines(
        self,
        orientation: Qt.Orientation,
        before: Sequence[object],
        after: Sequence[object],
    ) -> None:
        """Notify the views of inserted, removed or moved rows or columns.

        Open editors and the selection move with their cells. Cells of inserted lines
        are arbitrary until the model reads the document again and emits their change.

        Parameters
        ----------
        orientation : Qt.Orientation
            Vertical for rows, as their headings are.
        before, after : sequence
            What the lines are called.
        """
        change = line_change(before, after)
        if change is None:
            return
        root, order = QModelIndex(), change.order(len(before))
        first, last = change.first, change.last
        down = orientation == Qt.Orientation.Vertical
        if change.kind == "insert":
            begin = self.beginInsertRows if down else self.beginInsertColumns
            end = self.endInsertRows if down else self.endInsertColumns
            begin(root, first, last)
        elif change.kind == "remove":
            begin = self.beginRemoveRows if down else self.beginRemoveColumns
            end = self.endRemoveRows if down else self.endRemoveColumns
            begin(root, first, last)
        else:
            move = self.beginMoveRows if down else self.beginMoveColumns
            end = self.endMoveRows if down else self.endMoveColumns
            move(root, first, last, root, change.before)
        self.take_lines(orientation, order)
        end()

    def flags(self, index: ModelIndex) -> Qt.ItemFlag:
        return EDITABLE if index.isValid() else Qt.ItemFlag.NoItemFlags

    def setData(self, index: ModelIndex, value: object, role: int = EDIT) -> bool:
        if role != EDIT or not index.isValid():
            return False
        try:
            self.write(index.row(), index.column(), str(value))
        except ValueError:
            return False
        return True

    def emit_cells(self, region: Region, *roles: int) -> None:
        """Say that cells changed, in some roles or (without any) in all."""
        self.dataChanged.emit(
            self.index(region.row, region.column),
            self.index(
                region.row + region.height - 1, region.column + region.width - 1
            ),
            list(roles),
        )
