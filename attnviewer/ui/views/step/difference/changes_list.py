"""The cells of a step that changed most, as a list of links."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Signal,
    Slot,
)
from PySide6.QtWidgets import QWidget

from attnviewer.compute import CellChange
from attnviewer.ui.text.numbers import (
    decimals_for,
    format_number,
    full_number,
    signed_number,
)
from attnviewer.ui.widgets.item_roles import (
    ACCESSIBLE_TEXT,
    ALIGNMENT,
    DISPLAY,
    FOREGROUND,
    RIGHT,
    TOOL_TIP,
)
from attnviewer.ui.widgets.link_lists.link_list import LinkList, link_color
from attnviewer.ui.widgets.tool_tips import plain_tip

Index = QModelIndex | QPersistentModelIndex
NO_INDEX = QModelIndex()
MOST_DECIMALS = 4
CELL, NUMBERS, CHANGE = range(3)


@dataclass(frozen=True, slots=True)
class NamedChange:
    """A change, and what its cell is called."""

    name: str
    cell: CellChange


class ChangesModel(QAbstractTableModel):
    """Cells with their numbers in A and in B, and the signed change."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._changes: list[NamedChange] = []
        self._decimals = MOST_DECIMALS

    @property
    def changes(self) -> list[NamedChange]:
        """The changes, largest first."""
        return self._changes

    def set_changes(self, changes: list[NamedChange]) -> None:
        """List other changes; the rows stay, as far as there are as many."""
        if changes == self._changes:
            return
        before, count = len(self._changes), len(changes)
        numbers = [n for c in changes for n in (c.cell.before, c.cell.after)]
        self._decimals = decimals_for(np.array(numbers), MOST_DECIMALS)
        if count > before:
            self.beginInsertRows(NO_INDEX, before, count - 1)
        elif count < before:
            self.beginRemoveRows(NO_INDEX, count, before - 1)
        self._changes = changes
        if count > before:
            self.endInsertRows()
        elif count < before:
            self.endRemoveRows()
        kept = min(count, before)
        if kept:
            self.dataChanged.emit(self.index(0, CELL), self.index(kept - 1, CHANGE))

    def rowCount(self, parent: Index = NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self._changes)

    def columnCount(self, parent: Index = NO_INDEX) -> int:
        return 0 if parent.isValid() else 3

    def data(self, index: Index, role: int = DISPLAY) -> Any:
        if not index.isValid():
            return None
        if role == ALIGNMENT:
            return None if index.column() == CELL else RIGHT
        if role == FOREGROUND:
            return link_color(self.parent()) if index.column() == CELL else None
        if role not in (DISPLAY, TOOL_TIP, ACCESSIBLE_TEXT):
            return None
        named = self._changes[index.row()]
        if role == DISPLAY:
            return self._text(named, index.column())
        cell = named.cell
        told = self.tr("{cell}: from {before} to {after}, {change}").format(
            cell=named.name,
            before=full_number(cell.before),
            after=full_number(cell.after),
            change=signed_number(cell.change, MOST_DECIMALS),
        )
        return plain_tip(told) if role == TOOL_TIP else told

    def _text(self, named: NamedChange, column: int) -> str:
        cell, decimals = named.cell, self._decimals
        if column == CELL:
            return named.name
        if column == CHANGE:
            return signed_number(cell.change, decimals)
        before, after = (format_number(n, decimals) for n in (cell.before, cell.after))
        return f"{before} → {after}"


class ChangesList(LinkList):
    """Lists the largest changes.

    Attributes
    ----------
    chosen : Signal
        A cell was chosen: its `CellChange`.
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        model = ChangesModel()
        super().__init__(model, CELL, NUMBERS, parent)
        self.changes = model
        model.setParent(self)
        self.setObjectName("difference.changes")
        self.setAccessibleName(self.tr("Largest changes"))
        self.setAccessibleDescription(self.tr("Enter selects the cell."))
        self.link_followed.connect(self._on_followed)

    @Slot(int)
    def _on_followed(self, row: int) -> None:
        self.chosen.emit(self.changes.changes[row].cell)
