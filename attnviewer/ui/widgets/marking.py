"""Marking rows and columns by clicks on labels and by keys."""

from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from attnviewer.ui.state.selection import Marked, Position
from attnviewer.ui.widgets.arrow_keys import ARROWS

Line = Literal["row", "column"]

_SPACE_MARKS: dict[Qt.KeyboardModifier, Line] = {
    Qt.KeyboardModifier.ShiftModifier: "row",
    Qt.KeyboardModifier.ControlModifier: "column",
}
"""What Space marks with these modifiers, as in spreadsheets."""


class Marking:
    """Turns clicks and keys into marks; remembers where a range was begun."""

    def __init__(self) -> None:
        self._begun: dict[Line, int] = {}

    def click(
        self,
        marked: Marked,
        line: Line,
        index: int,
        modifiers: Qt.KeyboardModifier,
    ) -> Marked:
        """Return the marks after a click on a label.

        A plain click marks only this row or column, or unmarks it if it was the only
        one; Ctrl toggles it; Shift extends the range from where it was begun.
        """
        if modifiers & Qt.KeyboardModifier.ShiftModifier:
            return self.extend(marked, line, self._begun.get(line, index), index)
        if modifiers & Qt.KeyboardModifier.ControlModifier:
            return self._toggle(marked, line, index)
        self._begun[line] = index
        alone = _with(Marked(), line, frozenset({index}))
        return Marked() if marked == alone else alone

    def press(
        self,
        event: QKeyEvent,
        marked: Marked,
        cell: Position,
        shape: tuple[int, int],
    ) -> tuple[Marked, Position] | None:
        """Return the marks after a key, and the cell it leads to; None if none.

        Shift and an arrow mark the rows or columns that the selected cell moves over;
        Shift+Space marks its row, Ctrl+Space its column.
        """
        key = Qt.Key(event.key())
        held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        row, column = cell
        if key == Qt.Key.Key_Space and held in _SPACE_MARKS:
            line = _SPACE_MARKS[held]
            index = row if line == "row" else column
            return self._toggle(marked, line, index), cell
        if key not in ARROWS or held != Qt.KeyboardModifier.ShiftModifier:
            return None
        down, across = ARROWS[key]
        goal = (
            min(max(row + down, 0), shape[0] - 1),
            min(max(column + across, 0), shape[1] - 1),
        )
        if down:
            return self.extend(marked, "row", row, goal[0]), goal
        return self.extend(marked, "column", column, goal[1]), goal

    def _toggle(self, marked: Marked, line: Line, index: int) -> Marked:
        """Return the marks with a row or column added or removed."""
        self._begun[line] = index
        return _with(marked, line, _of(marked, line) ^ {index})

    def extend(self, marked: Marked, line: Line, start: int, stop: int) -> Marked:
        """Return the marks extended to a range of rows or columns.

        Parameters
        ----------
        marked : Marked
            The current marks; those of the other axis stay.
        line : str
            ``row`` or ``column``.
        start, stop : int
            The range's end, and its beginning unless a marked one has been begun.
        """
        begun = self._begun.get(line, start)
        if begun not in _of(marked, line):
            begun = start
        self._begun[line] = begun
        first, last = min(begun, stop), max(begun, stop)
        return _with(marked, line, frozenset(range(first, last + 1)))


def _of(marked: Marked, line: Line) -> frozenset[int]:
    return marked.rows if line == "row" else marked.columns


def _with(marked: Marked, line: Line, indices: frozenset[int]) -> Marked:
    if line == "row":
        return Marked(indices, marked.columns)
    return Marked(marked.rows, indices)
