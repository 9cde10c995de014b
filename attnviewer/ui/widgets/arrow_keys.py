"""Keyboard navigation from cell to cell: arrows, Home, End and paging."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from attnviewer.ui.state.selection import Position

ARROWS = {
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
}
PAGES = {Qt.Key.Key_PageUp: -1, Qt.Key.Key_PageDown: 1}
ENDS = (Qt.Key.Key_Home, Qt.Key.Key_End)


def walk(
    event: QKeyEvent, cell: Position | None, shape: tuple[int, int], page: int
) -> Position | None:
    """Return the cell that a key moves to; None if it is not a navigation key.

    Home and End move to the ends of the row, with Ctrl to the first and last cell.
    Without a current cell, every key moves to the first one.

    Parameters
    ----------
    event : QKeyEvent
        The key.
    cell : tuple of two int or None
        The current cell.
    shape : tuple of two int
        Rows and columns.
    page : int
        Rows per page.
    """
    key = Qt.Key(event.key())
    modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    ctrl = modifiers == Qt.KeyboardModifier.ControlModifier
    if modifiers and not (ctrl and key in ENDS):
        return None
    if key not in ARROWS and key not in PAGES and key not in ENDS:
        return None
    if cell is None:
        return 0, 0
    row, column = cell
    if key in ARROWS:
        row, column = row + ARROWS[key][0], column + ARROWS[key][1]
    elif key in PAGES:
        row += PAGES[key] * page
    else:
        last = key == Qt.Key.Key_End
        column = shape[1] - 1 if last else 0
        if ctrl:
            row = shape[0] - 1 if last else 0
    return (
        min(max(row, 0), shape[0] - 1),
        min(max(column, 0), shape[1] - 1),
    )
