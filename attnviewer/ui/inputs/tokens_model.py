"""The tokens as a table of one column."""

import numpy as np
from PySide6.QtCore import QModelIndex, QObject, Qt

from attnviewer.compute import Array
from attnviewer.document import (
    Block,
    Change,
    Document,
    Region,
    Replace,
    parse_lines,
    paste_tokens,
)
from attnviewer.ui.cursor import InputPlace
from attnviewer.ui.inputs.cell_model import CellModel, Place
from attnviewer.ui.item_roles import (
    ACCESSIBLE_TEXT,
    ALIGNMENT,
    DISPLAY,
    EDIT,
    LEFT,
    TOOL_TIP,
)
from attnviewer.ui.tokens import one_line, token_label
from attnviewer.ui.tool_tips import plain_tip
from attnviewer.ui.undo import EditStack

_ROOT = QModelIndex()


class TokensModel(CellModel):
    """The document's tokens, one per row of X."""

    def __init__(
        self, document: Document, edits: EditStack, parent: QObject | None = None
    ) -> None:
        super().__init__(document, edits, parent)
        self.look_again()

    def look_again(self) -> None:
        self._tokens = self._document.tokens

    def follow(self, change: Change) -> None:
        tokens = self._document.tokens
        if change.matrix is not None or tokens == self._tokens:
            return
        if len(tokens) != len(self._tokens):
            self.beginResetModel()
            self.look_again()
            self.endResetModel()
            return
        pairs = enumerate(zip(tokens, self._tokens, strict=True))
        renamed = [row for row, (new, old) in pairs if new != old]
        self.look_again()
        region = Region(renamed[0], 0, renamed[-1] - renamed[0] + 1, 1)
        self.emit_cells(region)
        self.edited.emit(region, None)

    def rowCount(self, parent: Place = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._tokens)

    def columnCount(self, parent: Place = _ROOT) -> int:
        return 0 if parent.isValid() else 1

    def data(self, index: Place, role: int = DISPLAY) -> object:
        if role == DISPLAY:
            return one_line(self._tokens[index.row()]) if index.isValid() else None
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

    def write(self, row: int, column: int, text: str) -> None:
        present = self._tokens[row]
        if text == present:
            return
        # Blanks alone are a token of many vocabularies; nothing at all is none.
        if not text:
            raise ValueError(self.tr("Type a token: it cannot be empty."))
        label = self.tr("Rename token {old} to {new}").format(
            old=token_label(present), new=token_label(text)
        )
        tokens = (*self._tokens[:row], text, *self._tokens[row + 1 :])
        self._edits.submit(Replace(label, tokens=tokens))

    def read_block(self, text: str) -> Block:
        return Block(np.array([[line] for line in parse_lines(text)], dtype=object))

    def paste(self, place: InputPlace, values: Array) -> None:
        names = [str(name) for name in values[:, 0]]
        if tuple(names) != self._tokens[place.block.rows]:
            label = self.tr("Paste tokens")
            edit = paste_tokens(self._document, "X", place.block.row, names, label)
            self._edits.submit(edit, then=place)

    @property
    def has_tokens(self) -> bool:
        return True
