"""The dialog that declares the tokens a grid."""

import math

from PySide6.QtCore import Slot
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QSpinBox,
    QWidget,
)

from attnviewer.document import Replace
from attnviewer.document.token_grid import TokenGrid
from attnviewer.ui.state.undo import EditStack
from attnviewer.ui.widgets.dialog_column import dialog_column
from attnviewer.ui.widgets.edit_dialog import EditDialog
from attnviewer.ui.widgets.number_field import number_field


class TokenGridDialog(EditDialog):
    """Asks for rows, columns and the tokens before them.

    Parameters
    ----------
    edits : EditStack
        Where the edit goes.
    parent : QWidget
        The window.
    """

    def __init__(self, edits: EditStack, parent: QWidget) -> None:
        super().__init__(edits, parent)
        self.setObjectName("grid.dialog")
        self.setWindowTitle(self.tr("Token grid"))
        self._document = edits.document
        count = len(self._document.tokens)
        grid = self._document.grid or _likely(count)
        self.rows = self._box("rows", grid.rows, 1, count)
        self.columns = self._box("columns", grid.columns, 1, count)
        self.special = self._box("special", grid.n_special, 0, count - 1)
        form = QFormLayout()
        form.addRow(self.tr("&Rows"), self.rows)
        form.addRow(self.tr("&Columns"), self.columns)
        form.addRow(self.tr("&Tokens before the grid"), self.special)
        self.note = QLabel(self)
        self.note.setObjectName("grid.note")
        self.note.setWordWrap(True)
        self.buttons = QDialogButtonBox(self)
        kinds = QDialogButtonBox.StandardButton
        self.declare = self.buttons.addButton(kinds.Ok)
        self.buttons.addButton(kinds.Cancel)
        self.remove = self.buttons.addButton(
            self.tr("R&emove the grid"), QDialogButtonBox.ButtonRole.DestructiveRole
        )
        self.remove.setObjectName("grid.remove")
        self.remove.setVisible(self._document.grid is not None)
        column = dialog_column(self)
        column.addLayout(form)
        column.addWidget(self.note)
        column.addWidget(self.buttons)
        self.buttons.accepted.connect(self._declare)
        self.buttons.rejected.connect(self.reject)
        self.remove.clicked.connect(self._remove)
        self._tell()

    @property
    def _asked(self) -> TokenGrid:
        before = self._document.grid
        return TokenGrid(
            self.rows.value(),
            self.columns.value(),
            self.special.value(),
            None if before is None else before.image,
        )

    def _box(self, name: str, value: int, least: int, most: int) -> QSpinBox:
        box = number_field(self)
        box.setObjectName(f"grid.{name}")
        box.setRange(least, max(least, most))
        box.setValue(value)
        box.valueChanged.connect(self._tell)
        return box

    @Slot()
    def _tell(self) -> None:
        """Say whether the numbers fit the tokens."""
        asked, count = self._asked, len(self._document.tokens)
        self.declare.setEnabled(asked.n_tokens == count)
        text = self.tr("{special} + {rows} × {columns} = {asked} of {count} tokens")
        self.note.setText(
            text.format(
                special=asked.n_special,
                rows=asked.rows,
                columns=asked.columns,
                asked=asked.n_tokens,
                count=count,
            )
        )

    @Slot()
    def _declare(self) -> None:
        self.submit(Replace(self.tr("Declare a token grid"), grid=(self._asked,)))
        self.accept()

    @Slot()
    def _remove(self) -> None:
        self.submit(Replace(self.tr("Remove the token grid"), grid=()))
        self.accept()


def _likely(count: int) -> TokenGrid:
    """Return the grid that so many tokens most likely are.

    A square after at most two special tokens; or else that with the fewest special
    tokens whose sides differ least.
    """
    for special in range(min(3, count)):
        side = math.isqrt(count - special)
        if side * side == count - special:
            return TokenGrid(side, side, special)
    rows = max(n for n in range(1, math.isqrt(count) + 1) if count % n == 0)
    return TokenGrid(rows, count // rows)
