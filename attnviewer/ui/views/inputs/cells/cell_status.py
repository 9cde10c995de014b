"""Reports the cell under the pointer in the input tables, or the focused one."""

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtWidgets import QApplication

from attnviewer.ui.views.inputs.cells.model import CellModel
from attnviewer.ui.views.inputs.cells.table import CellTable, table_with_the_keys
from attnviewer.ui.widgets.item_roles import ModelIndex


class CellStatus(QObject):
    """Follows the pointer and the focus through the input tables.

    Attributes
    ----------
    status_changed : Signal
        Carries the text about a cell, such as ``W_Q[0, 2] = 0.1``; "" if pointer and
        focus are elsewhere.
    """

    status_changed = Signal(str)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._pointed = QPersistentModelIndex()
        self._shown = QPersistentModelIndex()
        self._text = ""
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._follow)

    def watch(self, table: CellTable) -> None:
        """Follow pointer and focus through one more table."""
        table.setMouseTracking(True)
        table.entered.connect(self._point)
        table.viewportEntered.connect(self._point_elsewhere)
        table.viewport().installEventFilter(self)
        # The keys go on from a cell that was clicked, while the pointer stays there.
        table.block_selected.connect(self._point_elsewhere)
        # Several tables may show the same cells.
        once = Qt.ConnectionType.UniqueConnection
        for changed in (table.model().dataChanged, table.model().modelReset):
            changed.connect(self._update_text, once)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Leave, QEvent.Type.Hide):
            self._point_elsewhere()
        return False

    @Slot(QModelIndex)
    def _point(self, index: QModelIndex) -> None:
        self._pointed = QPersistentModelIndex(index)
        self._follow()

    @Slot()
    def _point_elsewhere(self) -> None:
        self._pointed = QPersistentModelIndex()
        self._follow()

    @Slot()
    def _follow(self) -> None:
        """Report the hovered or focused cell, if it has changed."""
        if self._shown != self._now():
            self._update_text()

    @Slot()
    def _update_text(self) -> None:
        index = self._now()
        self._shown = QPersistentModelIndex(index)
        model = index.model()
        text = ""
        if isinstance(model, CellModel):
            text = model.status_text(index.row(), index.column())
        if text != self._text:
            self._text = text
            self.status_changed.emit(text)

    def _now(self) -> ModelIndex:
        if self._pointed.isValid():
            return self._pointed
        table = table_with_the_keys()
        return QModelIndex() if table is None else table.currentIndex()
