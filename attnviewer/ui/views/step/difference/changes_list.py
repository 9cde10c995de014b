"""The cells of a step that changed most, as a list of links."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QModelIndex
from PySide6.QtWidgets import QWidget

from attnviewer.compute import Array, CellChange
from attnviewer.ui.text.numbers import (
    decimals_for,
    fitted_number,
    full_number,
    signed_number,
)
from attnviewer.ui.widgets.link_lists.link_list import LinkList
from attnviewer.ui.widgets.link_lists.rows import Cell, Row

MOST_DECIMALS = 4
LONGEST = 7
"""Characters of a number, so that columns keep their widths; tips have all digits."""
WIDEST = "0" * LONGEST, "−0e−000"
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

    def show_changes(
        self, changes: Sequence[NamedChange], longest_name: str = ""
    ) -> None:
        """List other changes; the rows stay, as far as there are as many.

        Parameters
        ----------
        changes : sequence of NamedChange
            The changes, largest first.
        longest_name : str, optional
            The longest name of any cell, listed or not. Whether both numbers are
            listed as well must not hang on which cells changed.
        """
        self._changes = changes
        numbers = np.array([n for c in changes for n in (c.cell.before, c.cell.after)])
        decimals = min(decimals_for(numbers, MOST_DECIMALS), _decimals_left(numbers))
        widest = max(WIDEST, key=self.fontMetrics().horizontalAdvance)
        self.keep_room((longest_name, f"{widest} → {widest}", widest))
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
        before, after = (
            fitted_number(_rounded(n, decimals), decimals, LONGEST)
            for n in (cell.before, cell.after)
        )
        sign = "+" if cell.change > 0 else ""
        by = fitted_number(cell.change, decimals, LONGEST - len(sign))
        name = Cell(named.name, tip, color="link")
        numbers = Cell(f"{before} → {after}", tip)
        return Row(rank, (name, numbers, Cell(f"{sign}{by}", tip)))


def _decimals_left(numbers: Array) -> int:
    """Return how many decimals fit behind sign, point and the largest number."""
    largest = np.max(np.abs(numbers), initial=0.0, where=np.isfinite(numbers))
    return max(0, LONGEST - len("−.") - len(f"{largest:.0f}"))


def _rounded(number: float, decimals: int) -> float:
    """Round what would need an exponent; the change beside it has its own."""
    return round(number, decimals) + 0.0 if abs(number) < 1 else number  # no −0
