"""A table whose blocks of cells are selected like in a spreadsheet."""

from PySide6.QtCore import QEvent, QItemSelectionModel, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QApplication, QWidget

from attnviewer.document import Region
from attnviewer.ui.views.inputs.cells.fitted import FittedTable
from attnviewer.ui.views.inputs.cells.keys import CellKeys
from attnviewer.ui.widgets.item_roles import ModelIndex


class BlockTable(FittedTable):
    """A table in which keyboard and mouse select one or more blocks of cells.

    Parameters
    ----------
    name : str
        The name of a matrix, or ``tokens``.
    characters : int
        Width of a column, in characters.
    parent : QWidget, optional
        The Qt parent.

    Attributes
    ----------
    keys : CellKeys
        Handles the keys that change the selection.
    anchored : bool
        Whether the current cell is being restored to where a drag began.
    """

    menu_wanted = Signal(QPoint)
    """A person asks for the context menu at a place of the screen."""

    def __init__(
        self, name: str, characters: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(characters, parent)
        self.name = name
        self.setObjectName(f"table.{name}")
        self.anchored = self._adding = False
        self.keys = CellKeys(self)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)

    @property
    def handles(self) -> list[QRect]:
        """The rectangles of the drag handles in the viewport."""
        return []

    def selected_block(self) -> Region | None:
        """Return the selected block that contains the current cell."""
        return self.keys.selected()

    def selected_blocks(self) -> list[Region]:
        """Return all blocks of selected cells."""
        return self.keys.blocks()

    def select_block(self, block: Region) -> None:
        """Select cells, as far as they exist, and scroll to them."""
        self.keys.select(block)

    def selectAll(self) -> None:
        self.keys.select_all()

    def currentChanged(self, current: ModelIndex, previous: ModelIndex) -> None:
        super().currentChanged(current, previous)
        self.keys.end_run()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.keys.end_run()
        # The modifiers at the start of a drag decide, not those during it.
        self._adding = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        index = self.indexAt(event.position().toPoint())
        shift = event.modifiers() == Qt.KeyboardModifier.ShiftModifier
        left = event.button() == Qt.MouseButton.LeftButton
        if shift and left and index.isValid() and self.currentIndex().isValid():
            self.keys.extend_to(index.row(), index.column())
        else:
            super().mousePressEvent(event)

    def selectionCommand(
        self, index: ModelIndex, event: QEvent | None = None
    ) -> QItemSelectionModel.SelectionFlag:
        # Qt would apply the modifiers of a shortcut that changes the current cell.
        if event is None and not QApplication.mouseButtons():
            return QItemSelectionModel.SelectionFlag.ClearAndSelect
        if event is not None and event.type() == QEvent.Type.MouseMove and self._adding:
            return QItemSelectionModel.SelectionFlag.ToggleCurrent
        return super().selectionCommand(index, event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        # Qt makes the cell under the mouse current; in spreadsheets the cell where the
        # selection began stays current.
        began = self.currentIndex()
        super().mouseMoveEvent(event)
        if (
            self.state() == QAbstractItemView.State.DragSelectingState
            and began != self.currentIndex()
        ):
            self.anchored = True
            self.setAutoScroll(False)
            flag = QItemSelectionModel.SelectionFlag.NoUpdate
            self.selectionModel().setCurrentIndex(began, flag)
            self.setAutoScroll(True)
            self.anchored = False
