"""The cells of a step that a learner fills, as a model."""

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt, Signal

from attnviewer.teaching import CellVerdict
from attnviewer.teaching.tolerance import Tolerance, read_typed
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

Position = tuple[int, int]
_NO_INDEX = QModelIndex()
_OPERATORS = "+-−*·×/^("


class AnswerCells(QAbstractTableModel):
    """The rows and columns of a step in which cells are asked for.

    Parameters
    ----------
    asked : sequence of (int, int)
        The cells, (row, column) of the step.
    titles : tuple of two sequence of str
        The labels of all rows and of all columns of the step.
    tolerance : Tolerance
        How many digits the value of typed arithmetic is shown with.
    parent : QObject
        The Qt parent.

    Attributes
    ----------
    typed : Signal
        The learner has typed into a cell.
    """

    typed = Signal()

    def __init__(
        self,
        asked: Sequence[Position],
        titles: tuple[Sequence[str], Sequence[str]],
        tolerance: Tolerance,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._asked = frozenset(asked)
        self._rows = sorted({row for row, _ in asked})
        self._columns = sorted({column for _, column in asked})
        self._titles = titles
        self._tolerance = tolerance
        self._texts: dict[Position, str] = {}
        self._verdicts: Mapping[Position, CellVerdict] = {}
        self.locked = False

    @property
    def texts(self) -> dict[Position, str]:
        """The typed texts, by (row, column) of the step."""
        return dict(self._texts)

    @property
    def empty(self) -> int:
        """The number of empty cells."""
        return len(self._asked) - len(self._texts)

    def show(
        self,
        texts: Mapping[Position, str],
        verdicts: Mapping[Position, CellVerdict],
        *,
        locked: bool,
    ) -> None:
        """Show texts and the verdicts on them."""
        self._texts = {c: t for c, t in texts.items() if c in self._asked and t}
        self._verdicts, self.locked = verdicts, locked
        last = self.index(self.rowCount() - 1, self.columnCount() - 1)
        self.dataChanged.emit(self.index(0, 0), last)

    def cell(self, index: ModelIndex) -> Position:
        """Return the cell of the step that an index stands for."""
        return self._rows[index.row()], self._columns[index.column()]

    def is_asked(self, row: int, column: int) -> bool:
        """Return whether a cell of the table is asked for."""
        return (self._rows[row], self._columns[column]) in self._asked

    def verdict(self, index: ModelIndex) -> CellVerdict | None:
        """Return the verdict on a cell; None for none."""
        cell = self.cell(index)
        return self._verdicts.get(cell) if cell in self._texts else None

    def write(self, index: ModelIndex, text: str) -> None:
        """Take what the learner typed."""
        cell, text = self.cell(index), text.strip()
        if text == self._texts.get(cell, ""):
            return
        if text:
            self._texts[cell] = text
        else:
            del self._texts[cell]
        # The verdict on the number before no longer holds.
        self._verdicts = {c: v for c, v in self._verdicts.items() if c != cell}
        self.dataChanged.emit(index, index)
        self.typed.emit()

    def rowCount(self, parent: ModelIndex = _NO_INDEX) -> int:
        return len(self._rows)

    def columnCount(self, parent: ModelIndex = _NO_INDEX) -> int:
        return len(self._columns)

    def flags(self, index: ModelIndex) -> Qt.ItemFlag:
        if self.cell(index) not in self._asked:
            return Qt.ItemFlag.NoItemFlags
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return flags if self.locked else flags | Qt.ItemFlag.ItemIsEditable

    def data(self, index: ModelIndex, role: int = DISPLAY) -> Any:
        if role == EDIT:
            return self._texts.get(self.cell(index), "")
        if role == DISPLAY:
            return self._shown(self._texts.get(self.cell(index), ""))
        if role == ALIGNMENT:
            return RIGHT
        if role == ACCESSIBLE_TEXT:
            return self._spoken(index)
        if role == TOOL_TIP:
            verdict = self.verdict(index)
            return plain_tip(self.verdict_text(verdict)) if verdict else None
        return None

    def _shown(self, text: str) -> str:
        """Return a typed number as it is, and the value of arithmetic."""
        if not any(sign.isalpha() or sign in _OPERATORS for sign in text[1:]):
            return text
        try:
            return self._tolerance.text(read_typed(text))
        except ValueError:
            return text

    def verdict_text(self, verdict: CellVerdict) -> str:
        """Return what a verdict says, in words."""
        if verdict.carried:
            return self.tr("right: it follows from your earlier numbers")
        if verdict.right:
            return self.tr("right")
        return verdict.message or self.tr("not right yet")

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = DISPLAY
    ) -> Any:
        down = orientation == Qt.Orientation.Vertical
        if role in (DISPLAY, TOOL_TIP):
            lines = self._rows if down else self._columns
            title = self._titles[0 if down else 1][lines[section]]
            return plain_tip(title) if role == TOOL_TIP else title
        if role == ALIGNMENT:
            return RIGHT if down else Qt.AlignmentFlag.AlignCenter.value
        return None

    def _spoken(self, index: ModelIndex) -> str:
        row, column = self.cell(index)
        named = f"{self._titles[0][row]}, {self._titles[1][column]}"
        if (row, column) not in self._asked:
            return self.tr("{cell}: not asked for").format(cell=named)
        text = self._texts.get((row, column)) or self.tr("empty")
        verdict = self.verdict(index)
        verdict_part = f", {self.verdict_text(verdict)}" if verdict else ""
        return f"{named}: {text}{verdict_part}"
