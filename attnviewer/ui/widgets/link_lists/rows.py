"""Rows of cells as a model."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    Qt,
)
from PySide6.QtGui import QColor, QFont, QPalette
from PySide6.QtWidgets import QWidget

from attnviewer.ui.paint.theme import LIGHT, Theme
from attnviewer.ui.widgets.item_roles import (
    ACCESSIBLE_TEXT,
    ALIGNMENT,
    DISPLAY,
    FOREGROUND,
    LEFT,
    RIGHT,
    TOOL_TIP,
    ModelIndex,
)
from attnviewer.ui.widgets.tool_tips import plain_tip

NO_INDEX = QModelIndex()
FONT = Qt.ItemDataRole.FontRole.value
SHARE = Qt.ItemDataRole.UserRole.value
"""How long the bar behind a cell is, 0 to 1."""


Color: TypeAlias = Literal["text", "link", "muted"]


@dataclass(frozen=True, slots=True)
class Cell:
    """The content of a row in one column.

    Parameters
    ----------
    text : str
        What is written.
    tip : str
        The same in a sentence, for tool tips and screen readers.
    share : float, optional
        The length of the bar behind it in comparison with the longest, 0 to 1.
    color : {"text", "link", "muted"}, optional
        Which colour of the theme it is written in.
    bold : bool, optional
        Whether it is of what is open.
    """

    text: str
    tip: str
    share: float = 0.0
    color: Color = "text"
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a list.

    Parameters
    ----------
    key : hashable
        What it is about. Rows that keep their keys change in place.
    cells : tuple of Cell
        One for each column.
    """

    key: object
    cells: tuple[Cell, ...]


class RowsModel(QAbstractTableModel):
    """Rows of so many cells: texts on the left, then numbers, which are aligned right.

    Attributes
    ----------
    texts : int
        How many columns hold texts.
    """

    def __init__(self, columns: int, view: QWidget) -> None:
        super().__init__(view)
        self._view, self._theme = view, LIGHT
        self.texts = 1
        self._titles = ("",) * columns
        self._rows: Sequence[Row] = ()

    def key(self, row: int) -> object:
        """Return what a row is about."""
        return self._rows[row].key

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        if theme != self._theme:
            self._theme = theme
            self._emit_changed(range(len(self._rows)))

    def set_titles(self, titles: tuple[str, ...]) -> None:
        """Have other columns; without rows at first."""
        if titles != self._titles:
            self.beginResetModel()
            self._titles, self._rows = titles, ()
            self.endResetModel()

    def set_rows(self, rows: Sequence[Row]) -> bool:
        """List other rows: in place, or by a reset where they are about others.

        Returns
        -------
        bool
            Whether anything is other than before.
        """
        before, count = self._rows, len(rows)
        kept = min(len(before), count)
        if any(rows[n].key != before[n].key for n in range(kept)):
            self.beginResetModel()
            self._rows = rows
            self.endResetModel()
            return True
        if count > kept:
            self.beginInsertRows(NO_INDEX, kept, count - 1)
            self._rows = rows
            self.endInsertRows()
        elif len(before) > kept:
            self.beginRemoveRows(NO_INDEX, kept, len(before) - 1)
            self._rows = rows
            self.endRemoveRows()
        self._rows = rows
        changed = [n for n in range(kept) if rows[n] != before[n]]
        self._emit_changed(changed)
        return bool(changed) or count != len(before)

    def _emit_changed(self, changed: Sequence[int]) -> None:
        if changed:
            last = self.index(changed[-1], self.columnCount() - 1)
            self.dataChanged.emit(self.index(changed[0], 0), last)

    def rowCount(self, parent: ModelIndex = NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: ModelIndex = NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self._titles)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = DISPLAY
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == ALIGNMENT:
            return LEFT if section < self.texts else RIGHT
        if role == TOOL_TIP:
            return plain_tip(self._titles[section])
        return self._titles[section] if role == DISPLAY else None

    def data(self, index: ModelIndex, role: int = DISPLAY) -> Any:
        if not index.isValid():
            return None
        cell = self._rows[index.row()].cells[index.column()]
        if role == DISPLAY:
            return cell.text
        if role == ALIGNMENT:
            return None if index.column() < self.texts else RIGHT
        if role == FOREGROUND:
            return self._color(cell)
        if role == SHARE:
            return cell.share
        if role == TOOL_TIP:
            return plain_tip(cell.tip)
        if role == ACCESSIBLE_TEXT:
            return cell.tip
        if role == FONT and cell.bold:
            font = QFont()
            font.setBold(True)
            return font
        return None

    def _color(self, cell: Cell) -> QColor | None:
        if cell.color == "muted":
            return QColor(self._theme.muted)
        # A view may wear another theme than the rest. The colour is a copy: the brush
        # that `link` returns goes with its palette.
        link = QPalette.ColorRole.Link
        return self._view.palette().color(link) if cell.color == "link" else None
