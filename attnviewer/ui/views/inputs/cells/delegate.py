"""The delegate that writes what is typed into the cells of an input table."""

from attnviewer.ui.views.inputs.cells.block_table import BlockTable
from attnviewer.ui.views.inputs.cells.filling import fill_typed
from attnviewer.ui.widgets.editor_delegate import EditorDelegate
from attnviewer.ui.widgets.item_roles import ModelIndex
from attnviewer.ui.widgets.reason import ReasonBubble


class CellDelegate(EditorDelegate):
    """Writes texts into the model of an input table."""

    def __init__(self, table: BlockTable, reason: ReasonBubble) -> None:
        super().__init__(table, reason)
        self._table = table

    def write_cell(self, index: ModelIndex, text: str) -> None:
        self._table.cells.write(index.row(), index.column(), text)

    def write_selection(self, text: str) -> None:
        fill_typed(self._table, text)
