"""What tests do with the tables of the inputs."""

from PySide6.QtCore import QEvent, QItemSelection, QItemSelectionModel
from PySide6.QtWidgets import QApplication

from attnviewer.ui.views.inputs.cells.table import CellTable


def settle() -> None:
    """Let happen what is posted, tables that are taken away included."""
    QApplication.sendPostedEvents()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    QApplication.processEvents()


def select(table: CellTable, top: int, left: int, bottom: int, right: int) -> None:
    """Select a block of cells alone."""
    model = table.model()
    block = QItemSelection(model.index(top, left), model.index(bottom, right))
    table.selectionModel().select(
        block, QItemSelectionModel.SelectionFlag.ClearAndSelect
    )
