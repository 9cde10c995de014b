"""Filling selected cells with a typed text, or from the cells above or beside them."""

import numpy as np

from attnviewer.document import Region
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.views.inputs.cells.block_table import BlockTable

_tr = translate_in("Filling")


def fill_typed(table: BlockTable, text: str) -> None:
    """Write a typed text into all selected cells, as one step of undo.

    Raises
    ------
    ValueError
        With the reason why the text is refused.
    """
    value = table.cells.read(text)
    current = table.currentIndex()
    cell = Region(current.row(), current.column(), 1, 1)
    blocks = table.selected_blocks() or [cell]
    if blocks == [cell]:
        table.cells.write(cell.row, cell.column, text)
        return
    kind = object if isinstance(value, str) else None
    values = [(b, np.full((b.height, b.width), value, dtype=kind)) for b in blocks]
    label = _tr("Fill the selection in {table}").format(table=table.name)
    table.cells.write_blocks(label, values)


def fill_down(table: BlockTable) -> None:
    """Copy the first row of each selected block down, or the row above a single one."""
    pieces = []
    for block in table.selected_blocks():
        first = block.row if block.height > 1 else block.row - 1
        if first >= 0:
            source = Region(first, block.column, 1, block.width)
            height = block.rows.stop - first - 1
            target = Region(first + 1, block.column, height, block.width)
            pieces.append((target, np.tile(table.cells.values(source), (height, 1))))
    label = _tr("Fill down in {table}").format(table=table.name)
    table.cells.write_blocks(label, pieces)


def fill_right(table: BlockTable) -> None:
    """Copy the first column of each selected block to the right.

    A block of a single column gets the column on its left.
    """
    pieces = []
    for block in table.selected_blocks():
        first = block.column if block.width > 1 else block.column - 1
        if first >= 0:
            source = Region(block.row, first, block.height, 1)
            width = block.columns.stop - first - 1
            target = Region(block.row, first + 1, block.height, width)
            pieces.append((target, np.tile(table.cells.values(source), (1, width))))
    label = _tr("Fill right in {table}").format(table=table.name)
    table.cells.write_blocks(label, pieces)
