"""The weight patches of a model, as a list of links."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from attnviewer.ui.state.model.request import ModelLocation
from attnviewer.ui.widgets.link_lists.link_list import LinkList
from attnviewer.ui.widgets.link_lists.rows import Cell, Row

if TYPE_CHECKING:
    from attnviewer.models.layer_documents import WeightPatch

PLACE, TAKE_OUT = range(2)
MOST_ROWS = 8
"""That are seen without scrolling."""


class PatchList(LinkList):
    """Lists the weight patches of a model; a click or Delete takes one out.

    Attributes
    ----------
    taken_out : Signal
        The `ModelLocation` whose weights the user takes out; `chosen` is where to
        look.
    """

    taken_out = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(2, wide=PLACE, parent=parent)
        self.setObjectName("effect.patches")
        self.setAccessibleName(self.tr("Weights applied to the model"))
        self.setAccessibleDescription(
            self.tr("Enter opens the layer or head, Delete removes its weights.")
        )
        self.be_as_high_as_rows(MOST_ROWS)

    def show_patches(self, patches: "tuple[WeightPatch, ...]") -> None:
        """List other weights."""
        self.show_rows([self._row(patch) for patch in patches])

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

    def _row(self, patch: "WeightPatch") -> Row:
        look = self.tr("Open {place}").format(place=patch.name)
        take = self.tr("Restore the model's own weights of {place}").format(
            place=patch.name
        )
        name = Cell(patch.name, look, color="link")
        taking = Cell(self.tr("Remove"), take, color="link")
        return Row(ModelLocation(patch.layer, patch.head), (name, taking))
