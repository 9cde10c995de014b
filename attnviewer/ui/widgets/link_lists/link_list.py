"""A list whose rows lead somewhere."""

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from attnviewer.ui.widgets.link_lists.row_list import RowList


class LinkList(RowList):
    """Rows of text that are followed by a click or by Enter.

    Going through the rows by the arrow keys follows none.

    Parameters
    ----------
    columns, wide, spare, parent
        As in `RowList`.

    Attributes
    ----------
    chosen : Signal
        A row was followed: what it is about.
    """

    chosen = Signal(object)

    def __init__(
        self,
        columns: int,
        wide: int,
        spare: int | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(columns, wide, spare, parent)
        self.setProperty("links", True)
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor)
        self.clicked.connect(self.follow)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        current = self.currentIndex()
        keys = Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space
        if event.key() in keys and current.isValid():
            self.follow(current)
            event.accept()
        else:
            super().keyPressEvent(event)

    def follow(self, index: QModelIndex) -> None:
        """Go where a row leads."""
        self.chosen.emit(self.rows.key(index.row()))
