"""The weights that are put in place of a model's, as a list of links."""

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from attnviewer.ui.state.model.jobs import Place
from attnviewer.ui.widgets.item_roles import (
    ACCESSIBLE_TEXT,
    ALIGNMENT,
    DISPLAY,
    FOREGROUND,
    RIGHT,
    TOOL_TIP,
)
from attnviewer.ui.widgets.link_lists.link_list import LinkList, link_color

if TYPE_CHECKING:
    from attnviewer.models.layer_documents import Put

Index = QModelIndex | QPersistentModelIndex
NO_INDEX = QModelIndex()
PLACE, TAKE_OUT = range(2)
MOST_ROWS = 8
"""That are seen without scrolling."""


class PutsModel(QAbstractTableModel):
    """Where weights are put in place of the model's, and the way to take them out."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._puts: tuple[Put, ...] = ()

    def set_puts(self, puts: "tuple[Put, ...]") -> None:
        """List other weights."""
        if puts != self._puts:
            self.beginResetModel()
            self._puts = puts
            self.endResetModel()

    def place(self, row: int) -> Place:
        """Return where the weights of a row are put."""
        put = self._puts[row]
        return Place(put.layer, put.head)

    def rowCount(self, parent: Index = NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self._puts)

    def columnCount(self, parent: Index = NO_INDEX) -> int:
        return 0 if parent.isValid() else 2

    def data(self, index: Index, role: int = DISPLAY) -> Any:
        if not index.isValid():
            return None
        taking = index.column() == TAKE_OUT
        if role == ALIGNMENT:
            return RIGHT if taking else None
        if role == FOREGROUND:
            return link_color(self.parent())
        name = self._puts[index.row()].name
        if role == DISPLAY:
            return self.tr("Take out") if taking else name
        if role in (ACCESSIBLE_TEXT, TOOL_TIP):
            told = (
                self.tr("Give {place} the model's own weights again")
                if taking
                else self.tr("Look at {place}")
            )
            return told.format(place=name)
        return None


class PutsList(LinkList):
    """Lists them; each can be looked at and taken out.

    Attributes
    ----------
    chosen : Signal
        The `Place` that the person wants to look at.
    taken_out : Signal
        The `Place` whose weights the person takes out.
    """

    chosen = Signal(object)
    taken_out = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        model = PutsModel()
        super().__init__(model, PLACE, parent=parent)
        self.puts = model
        model.setParent(self)
        self.setObjectName("effect.puts")
        self.setAccessibleName(self.tr("Changes put back"))
        self.setAccessibleDescription(
            self.tr("Enter opens the layer or head, Delete takes its weights out.")
        )
        self.be_as_high_as_rows(MOST_ROWS)
        self.link_followed.connect(self._on_followed)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        current = self.currentIndex()
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            if current.isValid():
                self.taken_out.emit(self.puts.place(current.row()))
            event.accept()
        else:
            super().keyPressEvent(event)

    @Slot(int)
    def _on_followed(self, row: int) -> None:
        taking = self.currentIndex().column() == TAKE_OUT
        signal = self.taken_out if taking else self.chosen
        signal.emit(self.puts.place(row))
