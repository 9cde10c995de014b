"""Says what is under the pointer in the input tables, or where the keys are."""

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Signal,
    Slot,
)
from PySide6.QtWidgets import QApplication, QWidget

from attnviewer.ui.inputs.cells.model import CellModel
from attnviewer.ui.inputs.cells.table import CellTable


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
        index = self._pointed if self._pointed.isValid() else _with_the_keys()
        model = index.model()
        if not isinstance(model, CellModel):
            return ""
        return model.told(index.row(), index.column())


def _with_the_keys() -> QModelIndex:
    """Return the current cell of the table that has the focus or its editor."""
    widget: QWidget | None = QApplication.focusWidget()
    while widget is not None and not isinstance(widget, CellTable):
        widget = widget.parentWidget()
    return QModelIndex() if widget is None else widget.currentIndex()
