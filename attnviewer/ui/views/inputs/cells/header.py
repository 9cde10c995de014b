"""Headings of rows and columns; columns are resized at their edges."""

from PySide6.QtCore import (
    QItemSelection,
    QItemSelectionModel,
    QPoint,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QContextMenuEvent, QMouseEvent
from PySide6.QtWidgets import QHeaderView, QWidget

_GRIP = 4
"""The distance from an edge, in pixels, that still counts as a hit."""


class CellHeader(QHeaderView):
    """Headings whose size is set, never measured from their contents.

    All columns have one width. Dragging the right edge of any of them sets the width
    that brings this edge to the pointer.

    Attributes
    ----------
    before : CellHeader or None
        The headings that end where these begin: the edge between them is theirs.
    width_wanted : Signal
        The user drags an edge: the width of a column in pixels.
    fit_wanted : Signal
        The user double-clicked an edge.
    menu_wanted : Signal
        The user asks for the context menu of a heading: its place, and where.
    """

    width_wanted = Signal(int)
    fit_wanted = Signal()
    menu_wanted = Signal(int, QPoint)

    def __init__(self, orientation: Qt.Orientation, parent: QWidget) -> None:
        super().__init__(orientation, parent)
        self.setSectionsClickable(True)
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setMinimumSectionSize(1)
        self.setHighlightSections(True)
        # Elided in the middle: long names often differ only at their ends.
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setMouseTracking(True)
        self.before: CellHeader | None = None
        self._selected: QItemSelectionModel | None = None
        self._dragged: tuple[CellHeader, int] | None = None

    def setSelectionModel(self, selected: QItemSelectionModel) -> None:
        # Qt asks each cell of a selected line, with each painting, whether it can be
        # selected. Thousands of them take seconds: the headings know one of each line.
        if self._selected is not None:
            self._selected.selectionChanged.disconnect(self._mark)
        self._selected = selected
        super().setSelectionModel(QItemSelectionModel(selected.model(), self))
        selected.selectionChanged.connect(self._mark)
        self._mark()

    @Slot()
    def _mark(self) -> None:
        """Mark the headings of lines with selected cells."""
        assert self._selected is not None
        model, marked = self._selected.model(), QItemSelection()
        down = self.orientation() == Qt.Orientation.Vertical
        for block in self._selected.selection().toList():
            row, column = block.top(), block.left()
            last = (block.bottom(), column) if down else (row, block.right())
            marked.select(model.index(row, column), model.index(*last))
        flag = QItemSelectionModel.SelectionFlag.ClearAndSelect
        self.selectionModel().select(marked, flag)

    def sizeHint(self) -> QSize:
        # Set by the table; Qt would measure hundreds of headings.
        return self.maximumSize()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        edge = self._edge_at(event.position().toPoint())
        if edge is None or event.button() != Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)
        else:
            self._dragged = edge

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        position = event.position().toPoint()
        if self._dragged is not None:
            header, column = self._dragged
            place = header.viewport().mapFromGlobal(event.globalPosition().toPoint())
            header.width_wanted.emit((place.x() + header.offset()) // (column + 1))
        elif event.buttons() or self._edge_at(position) is None:
            self.unsetCursor()
            super().mouseMoveEvent(event)
        else:
            self.setCursor(Qt.CursorShape.SplitHCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._dragged is None:
            super().mouseReleaseEvent(event)
        self._dragged = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        edge = self._edge_at(event.position().toPoint())
        if edge is None:
            super().mouseDoubleClickEvent(event)
        else:
            edge[0].fit_wanted.emit()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        section = self.logicalIndexAt(event.pos())
        if section >= 0:
            self.menu_wanted.emit(section, event.globalPos())

    def _edge_at(self, position: QPoint) -> "tuple[CellHeader, int] | None":
        """Return the headings and the column whose right edge is at a position.

        None for no edge.
        """
        if self.orientation() == Qt.Orientation.Vertical or not self.count():
            return None
        column = self.logicalIndexAt(position.x() - _GRIP)
        if column < 0:
            before = None if self.offset() else self.before
            return None if before is None else (before, before.count() - 1)
        right = self.sectionViewportPosition(column) + self.sectionSize(column)
        return (self, column) if abs(position.x() - right) <= _GRIP else None
