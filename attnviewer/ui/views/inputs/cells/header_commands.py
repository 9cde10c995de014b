"""Mouse actions on the headings of a table: column widths and context menus."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Qt, Slot

from attnviewer.document import Region
from attnviewer.ui.views.inputs.cells.block_table import BlockTable
from attnviewer.ui.views.inputs.cells.fitted import FITTED
from attnviewer.ui.views.inputs.cells.header import CellHeader

if TYPE_CHECKING:
    from attnviewer.ui.views.inputs.cells.table_look import TableLook


class HeaderCommands(QObject):
    """Turns mouse actions on headings into widths and selections."""

    def __init__(self, table: BlockTable) -> None:
        super().__init__(table)
        self._table = table
        self._look: TableLook | None = None
        for header in (table.horizontalHeader(), table.verticalHeader()):
            assert isinstance(header, CellHeader)
            header.width_wanted.connect(self._widen)
            header.fit_wanted.connect(self.fit_width)
            header.menu_wanted.connect(self._open_menu)

    def set_look(self, look: "TableLook") -> None:
        """Store widths in a look from now on."""
        self._look = look

    @Slot()
    def fit_width(self) -> None:
        """Fit the column width to the longest text, in other documents as well."""
        self._set_width(FITTED)

    def reset_width(self) -> None:
        """Reset the column width."""
        self._set_width(None)

    @Slot(int)
    def _widen(self, width: int) -> None:
        self._set_width(self._table.digits_in(width))

    def _set_width(self, digits: float | None) -> None:
        if self._look is not None:
            self._look.set_width(self._table.name, digits)

    @Slot(int, QPoint)
    def _open_menu(self, section: int, point: QPoint) -> None:
        """Open the context menu for a whole row or column, selected if it is not."""
        table = self._table
        line = Region(section, 0, 1, table.cells.columnCount())
        if self.sender() is table.horizontalHeader():
            line = Region(0, section, table.cells.rowCount(), 1)
        table.setFocus(Qt.FocusReason.MouseFocusReason)
        if not any(block.contains(line) for block in table.selected_blocks()):
            table.select_block(line)
        table.menu_wanted.emit(point)
