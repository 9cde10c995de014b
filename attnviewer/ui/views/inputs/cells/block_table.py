"""A table in which blocks of cells are selected as in a spreadsheet."""

from PySide6.QtCore import QEvent, QItemSelectionModel, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QApplication, QWidget

from attnviewer.document import Region
from attnviewer.ui.views.inputs.cells.editor import CellEditor
from attnviewer.ui.views.inputs.cells.fitted import FittedTable
from attnviewer.ui.views.inputs.cells.keys import CellKeys
from attnviewer.ui.views.inputs.cells.model import Place


class BlockTable(FittedTable):
    """A table in which keys and mouse select blocks of cells, one or several.

    Parameters
    ----------
    name : str
        What it shows: a matrix, or ``tokens``.
    characters : int
        Room for text in a column.
    parent : QWidget, optional
        Qt's owner.

    Attributes
    ----------
    keys : CellKeys
        What keys do to the selection.
    anchored : bool
        Whether the current cell is just being put back to where a drag began.
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
    def editors(self) -> list[CellEditor]:
        """The open editors: the one with the keys, and those with refused texts."""
        editors = self.viewport().findChildren(CellEditor)
        # Closed ones are hidden until Qt deletes them.
        return [editor for editor in editors if not editor.isHidden()]

    @property
    def handles(self) -> list[QRect]:
        """Where the handles that can be dragged are in the viewport."""
        return []

    def selected_block(self) -> Region | None:
        """Return the block of selected cells that the current one is in."""
        return self.keys.selected()

    def selected_blocks(self) -> list[Region]:
        """Return all blocks of selected cells."""
        return self.keys.blocks()

    def select_block(self, block: Region) -> None:
        """Select cells, as far as they are there, and show them."""
        self.keys.select(block)

    def currentChanged(self, current: Place, previous: Place) -> None:
        super().currentChanged(current, previous)
        self.keys.end_run()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.keys.end_run()
        # What was held as a drag began decides, not what is held on its way.
        self._adding = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        index = self.indexAt(event.position().toPoint())
        shift = event.modifiers() == Qt.KeyboardModifier.ShiftModifier
        left = event.button() == Qt.MouseButton.LeftButton
        if shift and left and index.isValid() and self.currentIndex().isValid():
            self.keys.extend_to(index.row(), index.column())
        else:
            super().mousePressEvent(event)

    def selectionCommand(
        self, index: Place, event: QEvent | None = None
    ) -> QItemSelectionModel.SelectionFlag:
        # Qt would heed modifiers of a shortcut that makes a cell the current one.
        if event is None and not QApplication.mouseButtons():
            return QItemSelectionModel.SelectionFlag.ClearAndSelect
        if event is not None and event.type() == QEvent.Type.MouseMove and self._adding:
            return QItemSelectionModel.SelectionFlag.ToggleCurrent
        return super().selectionCommand(index, event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        # Qt makes the cell under the mouse the current one; in spreadsheets it stays
        # the one that the selection began with.
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
