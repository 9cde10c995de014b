"""A list whose rows lead somewhere."""

from PySide6.QtCore import QAbstractTableModel, QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QColor, QGuiApplication, QKeyEvent, QPalette
from PySide6.QtWidgets import QWidget

from attnviewer.ui.widgets.link_lists.row_list import RowList


class LinkList(RowList):
    """Rows of text that are followed by a click or by Enter.

    Going through the rows by the arrow keys follows none.

    Parameters
    ----------
    model, wide, spare, parent
        As in `RowList`.

    Attributes
    ----------
    link_followed : Signal
        The number of a row.
    """

    link_followed = Signal(int)

    def __init__(
        self,
        model: QAbstractTableModel,
        wide: int,
        spare: int | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(model, wide, spare, parent)
        self.setProperty("links", True)
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor)
        self.clicked.connect(self._on_clicked)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        current = self.currentIndex()
        keys = Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space
        if event.key() in keys and current.isValid():
            self.link_followed.emit(current.row())
            event.accept()
        else:
            super().keyPressEvent(event)

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        self.link_followed.emit(index.row())


def link_color(view: object) -> QColor:
    """Return the colour of what leads somewhere, in the view that a model is of."""
    # A view may wear another theme than the rest.
    worn = view.palette() if isinstance(view, QWidget) else QGuiApplication.palette()
    # A copy: the brush that `link` returns goes with its palette.
    return worn.color(QPalette.ColorRole.Link)
