"""The weights that are put in place of a model's, as a list of links."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from attnviewer.ui.state.model.jobs import Place
from attnviewer.ui.widgets.link_lists.link_list import LinkList
from attnviewer.ui.widgets.link_lists.rows import Cell, Row

if TYPE_CHECKING:
    from attnviewer.models.layer_documents import Put

PLACE, TAKE_OUT = range(2)
MOST_ROWS = 8
"""That are seen without scrolling."""


class PutsList(LinkList):
    """Lists where weights are put in place of the model's, and how to take them out.

    Attributes
    ----------
    taken_out : Signal
        The `Place` whose weights the person takes out; `chosen` is where to look.
    """

    taken_out = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(2, wide=PLACE, parent=parent)
        self.setObjectName("effect.puts")
        self.setAccessibleName(self.tr("Changes put back"))
        self.setAccessibleDescription(
            self.tr("Enter opens the layer or head, Delete takes its weights out.")
        )
        self.be_as_high_as_rows(MOST_ROWS)

    def show_puts(self, puts: "tuple[Put, ...]") -> None:
        """List other weights."""
        self.show_rows([self._row(put) for put in puts])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        current = self.currentIndex()
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            if current.isValid():
                self.taken_out.emit(self.rows.key(current.row()))
            event.accept()
        else:
            super().keyPressEvent(event)

    def follow(self, index: QModelIndex) -> None:
        if index.column() == TAKE_OUT:
            self.taken_out.emit(self.rows.key(index.row()))
        else:
            super().follow(index)

    def _row(self, put: "Put") -> Row:
        look = self.tr("Look at {place}").format(place=put.name)
        take = self.tr("Give {place} the model's own weights again").format(
            place=put.name
        )
        name = Cell(put.name, look, color="link")
        taking = Cell(self.tr("Take out"), take, color="link")
        return Row(Place(put.layer, put.head), (name, taking))
