"""Tables of inputs that are shown a second time, elsewhere in the window."""

from collections.abc import Callable

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from attnviewer.ui.views.inputs.matrix.operand_table import OperandTable
from attnviewer.ui.views.inputs.matrix.panel import MatrixPanel


class BorrowedTables:
    """The tables of operands, each made when it is asked for first.

    Parameters
    ----------
    panel_of : callable
        Returns the panel of a matrix; None if it has none.
    actions : sequence of QAction
        The commands on selected cells, which work in these tables, too.
    made : callable
        Called with each new table.
    """

    def __init__(
        self,
        panel_of: Callable[[str], QWidget | None],
        actions: list[QAction],
        made: Callable[[OperandTable], None],
    ) -> None:
        self._panel_of = panel_of
        self._actions = actions
        self._made = made
        self._tables: dict[str, OperandTable] = {}

    def __contains__(self, table: object) -> bool:
        return table in self.tables

    @property
    def tables(self) -> list[OperandTable]:
        """All of them."""
        return list(self._tables.values())

    def borrow(self, name: str, parent: QWidget) -> OperandTable | None:
        """Return the table of a matrix; None if it is not an input with a table.

        Parameters
        ----------
        name : str
            The matrix.
        parent : QWidget
            Where it is shown.
        """
        if name not in self._tables:
            panel = self._panel_of(name)
            if not isinstance(panel, MatrixPanel):
                return None
            table = panel.another_table(parent)
            table.addActions(self._actions)
            self._tables[name] = table
            self._made(table)
        return self._tables[name]

    def put_away(self, keep: frozenset[str] = frozenset()) -> None:
        """Hide the tables that are not shown any more."""
        for name, table in self._tables.items():
            if name not in keep:
                table.hide()

    def drop(self, name: str) -> None:
        """Delete the table of a matrix, as its panel goes."""
        table = self._tables.pop(name, None)
        if table is not None:
            table.hide()
            table.deleteLater()
