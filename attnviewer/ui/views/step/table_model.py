"""A step as an item model."""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    Qt,
)
from PySide6.QtGui import QColor, QFont

from attnviewer.compute import BoolArray, Dirty, IndexArray
from attnviewer.document import exact_text
from attnviewer.ui.paint.fonts import fixed_font
from attnviewer.ui.paint.step_content import StepContent
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.state.folded_lines import FoldedLines
from attnviewer.ui.state.selection import Position
from attnviewer.ui.text.number_format import (
    AUTOMATIC,
    LOOKED_AT,
    Decimals,
    NumberFormat,
)
from attnviewer.ui.text.numbers import decimals_for, format_number, full_number
from attnviewer.ui.text.pins import pinned_tip, pinned_words
from attnviewer.ui.text.tokens import how_many_tokens
from attnviewer.ui.widgets.item_roles import (
    ACCESSIBLE_TEXT,
    ALIGNMENT,
    DISPLAY,
    EDIT,
    FONT,
    FOREGROUND,
    PINNED,
    RIGHT,
    TOOL_TIP,
    ModelIndex,
)
from attnviewer.ui.widgets.tool_tips import plain_tip

MOST_DECIMALS = 4
NO_INDEX = QModelIndex()
_ROLES = DISPLAY, TOOL_TIP, ALIGNMENT, FOREGROUND, ACCESSIBLE_TEXT, EDIT, PINNED


class StepTableModel(QAbstractTableModel):
    """The numbers of one head of a step; a delegate may write to them."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._content: StepContent | None = None
        self._decimals = MOST_DECIMALS
        self._format = AUTOMATIC
        self._muted = QColor()
        # Asked for every cell of a row in turn.
        self._pinned_rows: dict[int, BoolArray | None] = {}
        self._takes: Callable[[str], bool] = _none

    def set_editable(self, takes: Callable[[str], bool]) -> None:
        """Let cells be edited.

        Parameters
        ----------
        takes : callable
            Returns whether the numbers of a step can be edited.
        """
        self._takes = takes

    @property
    def content(self) -> StepContent | None:
        """The matrix of the model."""
        return self._content

    @property
    def decimals(self) -> Decimals:
        """The number of decimals that the automatic format needs."""
        return Decimals(self._decimals, MOST_DECIMALS)

    @property
    def format(self) -> NumberFormat:
        """The format of the numbers."""
        return self._format

    def set_format(self, format_: NumberFormat) -> None:
        """Write the numbers in another way."""
        self._format = format_
        last = self.index(self.rowCount() - 1, self.columnCount() - 1)
        self.dataChanged.emit(self.index(0, 0), last, [DISPLAY])

    def set_content(
        self, content: StepContent, theme: Theme, changed: Sequence[Dirty] | None = None
    ) -> None:
        """Give out another step; only another shape resets the model.

        Parameters
        ----------
        content : StepContent
            The step.
        theme : Theme
            The theme in force.
        changed : sequence of Dirty, optional
            Where the numbers may differ from those before; everywhere by default.
        """
        before = self._content
        reshaped = before is None or before.shape != content.shape
        if reshaped:
            self.beginResetModel()
        self._content = content
        self._pinned_rows.clear()
        written = self._decimals, self._muted
        # Many cells need as many decimals as all.
        few = slice(0, max(1, LOOKED_AT // content.shape[1]))
        self._decimals = decimals_for(content.matrix.window(few), MOST_DECIMALS)
        self._muted = QColor(theme.muted)
        if reshaped:
            self.endResetModel()
            return
        assert before is not None
        rows, columns = content.shape
        if changed is None or written != (self._decimals, self._muted):
            changed = (Dirty(),)
        for block in changed:
            top, bottom = _ends(block.rows, rows)
            left, right = _ends(block.columns, columns)
            self.dataChanged.emit(self.index(top, left), self.index(bottom, right))
        if before.row_labels != content.row_labels:
            self.headerDataChanged.emit(Qt.Orientation.Vertical, 0, rows - 1)
        if before.column_labels != content.column_labels:
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, columns - 1)

    def forget(self) -> None:
        """Let go of the numbers, for as long as nobody sees them."""
        if self._content is not None:
            self._content = self._content.emptied()
            self._pinned_rows.clear()

    def rowCount(self, parent: ModelIndex = NO_INDEX) -> int:
        return (
            0 if self._content is None or parent.isValid() else self._content.shape[0]
        )

    def columnCount(self, parent: ModelIndex = NO_INDEX) -> int:
        return (
            0 if self._content is None or parent.isValid() else self._content.shape[1]
        )

    def flags(self, index: ModelIndex) -> Qt.ItemFlag:
        flags = super().flags(index)
        content = self._content
        if content is None or not index.isValid() or not self._takes(content.step):
            return flags
        if FoldedLines(content.folding).combines((index.row(), index.column())):
            return flags
        return flags | Qt.ItemFlag.ItemIsEditable

    def data(self, index: ModelIndex, role: int = DISPLAY) -> Any:
        if role not in _ROLES:
            return None
        if role == ALIGNMENT:
            return RIGHT
        if self._content is None or not index.isValid():
            return None
        cell = index.row(), index.column()
        if role == PINNED:
            return self._is_pinned(self._content, cell)
        value = self._content.value(*cell)
        if role == DISPLAY:
            if self._format == AUTOMATIC:
                return format_number(value, self._decimals)
            return self._format.write(value, self.decimals)
        if role == TOOL_TIP:
            computed = self._content.computed_value(*cell)
            if computed is not None:
                return pinned_tip(value, computed)
            return full_number(value)
        if role == EDIT:
            return exact_text(value)
        hidden = is_hidden(self._content, cell)
        if role == ACCESSIBLE_TEXT:
            return self._accessible_text(self._content, cell, masked=hidden)
        return self._muted if hidden else None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = DISPLAY
    ) -> Any:
        content = self._content
        if content is None or role not in (DISPLAY, TOOL_TIP, FONT):
            return None
        vertical = orientation == Qt.Orientation.Vertical
        labels = content.row_labels if vertical else content.column_labels
        if role == DISPLAY:
            return labels[section]
        tokens = _tokens_of(content, section, vertical=vertical)
        if role == FONT:
            return _bold() if tokens > 1 else None
        name = labels[section]
        several = "" if tokens == 1 else f", {how_many_tokens(tokens)}"
        return plain_tip(f"{name}{several}")

    def _is_pinned(self, content: StepContent, cell: Position) -> bool:
        row, column = cell
        if row not in self._pinned_rows:
            here = slice(row, row + 1)
            self._pinned_rows[row] = content.pinned(here, slice(None))
        pinned = self._pinned_rows[row]
        return pinned is not None and bool(pinned[0, column])

    def _accessible_text(
        self, content: StepContent, cell: Position, *, masked: bool
    ) -> str:
        text = self.tr("{row}, {column}: {number}").format(
            row=content.row_labels[cell[0]],
            column=content.column_labels[cell[1]],
            number=full_number(content.value(*cell)),
        )
        # On the screen its colour alone tells a masked cell apart.
        text = self.tr("{cell}, masked").format(cell=text) if masked else text
        computed = content.computed_value(*cell)
        return text if computed is None else f"{text}, {pinned_words(computed)}"


def is_hidden(content: StepContent, cell: Position) -> bool:
    """Return whether a mask hides a cell."""
    row, column = cell
    hidden = content.matrix.hidden(slice(row, row + 1), slice(column, column + 1))
    return hidden is not None and bool(hidden[0, 0])


def _ends(indices: IndexArray | None, count: int) -> tuple[int, int]:
    """Return the first and the last of some indices, of all by default."""
    return (0, count - 1) if indices is None else (int(indices[0]), int(indices[-1]))


def _tokens_of(content: StepContent, section: int, *, vertical: bool) -> int:
    """Return how many tokens a row or column stands for."""
    return len(FoldedLines(content.folding).tokens(section, rows=vertical))


def _bold() -> QFont:
    """Return the font of the names of folded groups."""
    font = fixed_font()
    font.setBold(True)
    return font


def _none(_step: str) -> bool:
    """Take the numbers of no step."""
    return False
