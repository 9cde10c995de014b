"""The rows and columns that a user marks in a heatmap, by its labels and by keys."""

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent

from attnviewer.ui.state.selection import Marked, Position
from attnviewer.ui.views.step.heatmap.token_axis import TokenAxis
from attnviewer.ui.widgets.marking import Marking


class LineMarking(QObject):
    """The marked lines, and those that clicks on labels and keys would mark.

    Attributes
    ----------
    chosen : Signal
        The user marked other rows and columns: `Marked`.
    """

    chosen = Signal(object)

    def __init__(self, rows: TokenAxis, columns: TokenAxis, parent: QObject) -> None:
        super().__init__(parent)
        self.marked = Marked()
        self._marking = Marking()
        rows.label_clicked.connect(self._on_row_clicked)
        columns.label_clicked.connect(self._on_column_clicked)

    def unmark(self, event: QKeyEvent) -> bool:
        """Have nothing marked any more, at Escape; return whether the key is used."""
        used = event.key() == Qt.Key.Key_Escape and bool(self.marked)
        if used:
            self.chosen.emit(Marked())
        return used

    def press(
        self, event: QKeyEvent, cell: Position | None, shape: tuple[int, int]
    ) -> Position | None:
        """Mark by a key; return the cell that it leads to, None for another key."""
        if cell is None:
            return None
        done = self._marking.press(event, self.marked, cell, shape)
        if done is None:
            return None
        marked, goal = done
        self.chosen.emit(marked)
        return goal

    @Slot(int, object)
    def _on_row_clicked(self, row: int, modifiers: Qt.KeyboardModifier) -> None:
        self.chosen.emit(self._marking.click(self.marked, "row", row, modifiers))

    @Slot(int, object)
    def _on_column_clicked(self, column: int, modifiers: Qt.KeyboardModifier) -> None:
        marked = self._marking.click(self.marked, "column", column, modifiers)
        self.chosen.emit(marked)
