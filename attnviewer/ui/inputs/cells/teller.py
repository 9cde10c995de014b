"""Says what is under the pointer in the input tables, or where the keys are."""

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Signal,
    Slot,
)
from PySide6.QtWidgets import QApplication

from attnviewer.ui.inputs.cells.model import CellModel, Place
from attnviewer.ui.inputs.cells.table import CellTable, table_with_the_keys


class CellTeller(QObject):
    """Follows pointer and keys through the input tables.

    Attributes
    ----------
    told : Signal
        What is to be said of a cell now, such as ``W_Q[0, 2] = 0.1``; nothing where
        the pointer is elsewhere and the keys are, too.
    """

    told = Signal(str)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._pointed = QPersistentModelIndex()
        self._text = ""
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._tell)

    def watch(self, table: CellTable) -> None:
        """Follow pointer and keys through one more table."""
        table.setMouseTracking(True)
        table.entered.connect(self._point)
        table.viewportEntered.connect(self._point_elsewhere)
        table.viewport().installEventFilter(self)
        table.block_selected.connect(self._tell)
        for changed in (table.model().dataChanged, table.model().modelReset):
            changed.connect(self._tell)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Leave, QEvent.Type.Hide):
            self._point_elsewhere()
        return False

    @Slot(QModelIndex)
    def _point(self, index: QModelIndex) -> None:
        self._pointed = QPersistentModelIndex(index)
        self._tell()

    @Slot()
    def _point_elsewhere(self) -> None:
        self._pointed = QPersistentModelIndex()
        self._tell()

    @Slot()
    def _tell(self) -> None:
        text = self._now()
        if text != self._text:
            self._text = text
            self.told.emit(text)

    def _now(self) -> str:
        index: Place = self._pointed
        if not index.isValid():
            table = table_with_the_keys()
            index = QModelIndex() if table is None else table.currentIndex()
        model = index.model()
        if not isinstance(model, CellModel):
            return ""
        return model.told(index.row(), index.column())
