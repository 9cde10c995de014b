"""The tokens as a table of one column."""

from collections.abc import Sequence
from itertools import zip_longest

import numpy as np
from PySide6.QtCore import QModelIndex, QObject, Qt

from attnviewer.compute import Array
from attnviewer.document import Change, Document, Region
from attnviewer.document.pasting import paste_tokens
from attnviewer.document.rearranging import tokens_of
from attnviewer.document.rows import SequenceName
from attnviewer.document.sequences import rename_token
from attnviewer.document.text.blocks import Block, parse_block
from attnviewer.document.text.data_frames import names_rows
from attnviewer.document.text.lines import lines_text, parse_lines
from attnviewer.document.text.named_blocks import parse_named_block
from attnviewer.ui.state.cursor import InputSelection
from attnviewer.ui.state.undo import EditStack
from attnviewer.ui.text.tokens import token_label, visible_token
from attnviewer.ui.views.inputs.cells.model import CellModel, Values
from attnviewer.ui.widgets.item_roles import (
    ACCESSIBLE_TEXT,
    ALIGNMENT,
    DISPLAY,
    EDIT,
    LEFT,
    TOOL_TIP,
    ModelIndex,
)
from attnviewer.ui.widgets.tool_tips import plain_tip

_ROOT = QModelIndex()


class TokensModel(CellModel):
    """The tokens of a sequence, one per row of its matrix.

    Parameters
    ----------
    document : Document
        The document of the tokens.
    edits : EditStack
        Where edits go.
    parent : QObject, optional
        The Qt parent.
    sequence : str
        The name of the sequence.
    """

    def __init__(
        self,
        document: Document,
        edits: EditStack,
        parent: QObject | None = None,
        *,
        sequence: SequenceName = "X",
    ) -> None:
        super().__init__(document, edits, parent)
        self.sequence = sequence
        self.reload()

    def reload(self) -> None:
        self._tokens = tokens_of(self._document, self.sequence)

    def take_lines(self, orientation: Qt.Orientation, order: list[int]) -> None:
        self._tokens = tuple(self._tokens[row] for row in order)

    def follow(self, change: Change) -> None:
        before, tokens = self._tokens, tokens_of(self._document, self.sequence)
        if change.matrix is not None or tokens == before:
            return
        self.follow_lines(Qt.Orientation.Vertical, before, tokens)
        self.reload()
        pairs = enumerate(zip_longest(tokens, before))
        other = [row for row, (new, old) in pairs if new != old and new is not None]
        if other:
            region = Region(other[0], 0, other[-1] - other[0] + 1, 1)
            self.emit_cells(region)
            self.edited.emit(region, None)

    def rowCount(self, parent: ModelIndex = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._tokens)

    def columnCount(self, parent: ModelIndex = _ROOT) -> int:
        return 0 if parent.isValid() else 1

    def data(self, index: ModelIndex, role: int = DISPLAY) -> object:
        if role == DISPLAY:
            token = self._tokens[index.row()] if index.isValid() else None
            return None if token is None else visible_token(token)
        if role == EDIT:
            return self._tokens[index.row()]
        if role == ALIGNMENT:
            return LEFT
        if role in (TOOL_TIP, ACCESSIBLE_TEXT):
            text = self.tr("Token {row}: {token}").format(
                row=index.row(), token=self._tokens[index.row()]
            )
            return plain_tip(text) if role == TOOL_TIP else text
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = DISPLAY
    ) -> object:
        if role != DISPLAY:
            return None
        if orientation == Qt.Orientation.Horizontal:
            return self.tr("token")
        return str(section)

    def exact_text(self, row: int, column: int) -> str:
        return self._tokens[row]

    def read(self, text: str) -> str:
        # Blanks are tokens in many vocabularies; the empty string is not.
        if not text:
            raise ValueError(self.tr("Type a token: it cannot be empty."))
        return text

    def values(self, block: Region) -> Values:
        return np.array([[name] for name in self._tokens[block.rows]], dtype=object)

    def write_blocks(
        self,
        label: str,
        blocks: Sequence[tuple[Region, Values]],
        then: InputSelection | None = None,
    ) -> None:
        gesture, sequence = object(), self.sequence
        for block, values in blocks:
            names = [str(name) for name in values[:, 0]]
            if tuple(names) != self._tokens[block.rows]:
                edit = paste_tokens(self._document, sequence, block.row, names, label)
                self._edits.submit(edit, gesture=gesture, then=then)

    def write(self, row: int, column: int, text: str) -> None:
        present = self._tokens[row]
        if text == present:
            return
        text = self.read(text)
        label = self.tr("Rename token {old} to {new}").format(
            old=token_label(present), new=token_label(text)
        )
        edit = rename_token(self._document, self.sequence, row, text, label)
        self._edits.submit(edit)

    def block_text(self, block: Region) -> str:
        return lines_text(self._tokens[block.rows])

    def read_block(self, text: str) -> Block:
        if names_rows(text):
            return parse_block(text)
        try:
            lines = parse_lines(text)
        except ValueError:
            block = parse_named_block(text) if "\t" in text else None
            if block is None:
                raise
            return block
        return Block(np.array([[line] for line in lines], dtype=object))

    @property
    def matrix(self) -> str:
        return self.sequence

    def paste(self, selection: InputSelection, values: Array) -> None:
        self.write_blocks(
            self.tr("Paste tokens"), [(selection.block, values)], then=selection
        )

    @property
    def longest_text(self) -> int:
        return max(map(len, self._tokens))

    @property
    def has_tokens(self) -> bool:
        return True
