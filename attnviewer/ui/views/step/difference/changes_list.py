"""The cells of a step that changed most, as a list of links."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QModelIndex
from PySide6.QtWidgets import QWidget

from attnviewer.compute import CellChange
from attnviewer.ui.text.numbers import (
    decimals_for,
    format_number,
    full_number,
    signed_number,
)
from attnviewer.ui.widgets.link_lists.link_list import LinkList
from attnviewer.ui.widgets.link_lists.rows import Cell, Row

MOST_DECIMALS = 4
CELL, NUMBERS = range(2)


@dataclass(frozen=True, slots=True)
class NamedChange:
    """A change, and what its cell is called."""

    name: str
    cell: CellChange


class ChangesList(LinkList):
    """Lists cells with their numbers in A and in B, and the signed change.

    Choosing one emits its `CellChange`.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(3, CELL, NUMBERS, parent)
        self._changes: Sequence[NamedChange] = ()
        self.setObjectName("difference.changes")
        self.setAccessibleName(self.tr("Largest changes"))
        self.setAccessibleDescription(self.tr("Enter selects the cell."))

    @property
    def changes(self) -> Sequence[NamedChange]:
        """The changes, largest first."""
        return self._changes

    def show_changes(self, changes: Sequence[NamedChange]) -> None:
        """List other changes; the rows stay, as far as there are as many."""
        self._changes = changes
        numbers = [n for c in changes for n in (c.cell.before, c.cell.after)]
        decimals = decimals_for(np.array(numbers), MOST_DECIMALS)
        self.show_rows([self._row(n, c, decimals) for n, c in enumerate(changes)])

    def follow(self, index: QModelIndex) -> None:
        self.chosen.emit(self._changes[index.row()].cell)

    def _row(self, rank: int, named: NamedChange, decimals: int) -> Row:
        cell = named.cell
        tip = self.tr("{cell}: from {before} to {after}, {change}").format(
            cell=named.name,
            before=full_number(cell.before),
            after=full_number(cell.after),
            change=signed_number(cell.change, MOST_DECIMALS),
        )
        before, after = (format_number(n, decimals) for n in (cell.before, cell.after))
        name = Cell(named.name, tip, color="link")
        numbers = Cell(f"{before} → {after}", tip)
        return Row(
            rank, (name, numbers, Cell(signed_number(cell.change, decimals), tip))
        )
