"""The cells that a user chooses and points at in a heatmap, with keys and mouse."""

from typing import Any

from PySide6.QtCore import QObject, QPointF, Qt, Signal
from PySide6.QtGui import QKeyEvent

from attnviewer.ui.state.selection import Position
from attnviewer.ui.views.step.heatmap.cell_box import CellBox
from attnviewer.ui.views.step.heatmap.line_marking import LineMarking
from attnviewer.ui.widgets.arrow_keys import walk


class CellNavigation(QObject):
    """Turns keys, clicks and moves of the pointer into cells, as they are shown.

    Parameters
    ----------
    box : CellBox
        The cells, in a scene.
    marking : LineMarking
        Takes the keys that mark rows and columns.
    parent : QObject
        The parent object.

    Attributes
    ----------
    shape : tuple of two int or None
        Rows and columns; None while there are no cells.
    cell : tuple of two int or None
        The selected cell.
    hovered : tuple of two int or None
        The cell under the pointer.
    cell_chosen : Signal
        The user selected a cell: its position, or None to deselect.
    cell_hovered : Signal
        The pointer is over another cell: its position, or None.
    fit_wanted : Signal
        All cells are to be shown.
    """

    cell_chosen = Signal(object)
    cell_hovered = Signal(object)
    fit_wanted = Signal()

    def __init__(self, box: CellBox, marking: LineMarking, parent: QObject) -> None:
        super().__init__(parent)
        self._box, self._marking = box, marking
        self.shape: tuple[int, int] | None = None
        self.cell: Position | None = None
        self.hovered: Position | None = None
        box.scene().sigMouseClicked.connect(self._on_clicked)

    def cell_at(self, position: QPointF) -> Position | None:
        """Return the cell at a position in the viewport."""
        cell = self._box.cell_at(position)
        if self.shape is None or cell is None:
            return None
        rows, columns = self.shape
        return cell if cell[0] < rows and cell[1] < columns else None

    def hover(self, cell: Position | None) -> None:
        """Note which cell the pointer is over; None for none."""
        if cell != self.hovered:
            self.hovered = cell
            self.cell_hovered.emit(cell)

    def press(self, event: QKeyEvent) -> bool:
        """Choose, mark or zoom by a key; return whether the key is used."""
        if self.shape is None:
            return False
        if self._marking.unmark(event):
            return True
        if event.key() == Qt.Key.Key_Escape and self.cell is not None:
            self.cell_chosen.emit(None)
            return True
        if self._box.press(event, self.cell):
            return True
        goal = self._marking.press(event, self.cell, self.shape)
        if goal is None:
            goal = walk(event, self.cell, self.shape, self._box.page)
        if goal is None:
            return False
        self._box.bring_into_sight(goal)
        self.cell_chosen.emit(goal)
        return True

    def _on_clicked(self, event: Any) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        if event.double():
            self.fit_wanted.emit()
            return
        cell = self.cell_at(event.scenePos())
        if cell is not None:
            self.cell_chosen.emit(cell)
