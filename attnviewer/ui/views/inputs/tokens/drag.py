"""Moving tokens with the mouse."""

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QFrame

from attnviewer.document import Region
from attnviewer.document.rows import SequenceName
from attnviewer.ui.state.cursor import InputSelection
from attnviewer.ui.state.undo import EditStack
from attnviewer.ui.views.inputs.cells.table import CellTable
from attnviewer.ui.views.inputs.tokens.edits import move_edit

_LINE = 2


class TokenDrag(QObject):
    """Turns a drag in the table of tokens into a move.

    A drag moves the token under the pointer, or all selected ones if it is among them;
    a line shows the drop position, and Escape cancels.
    """

    def __init__(
        self, table: CellTable, edits: EditStack, sequence: SequenceName
    ) -> None:
        super().__init__(table)
        self._table = table
        self._edits = edits
        self._sequence = sequence
        self._pressed: QPoint | None = None
        self._block = Region(0, 0, 0, 1)
        self._gap: int | None = None
        self._line = QFrame(table.viewport())
        self._line.setObjectName("token.gap")
        self._line.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._line.hide()
        table.viewport().installEventFilter(self)
        table.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QMouseEvent) and watched is self._table.viewport():
            match event.type():
                case QEvent.Type.MouseButtonPress:
                    return self._press(event)
                case QEvent.Type.MouseMove:
                    return self._drag(event)
                case QEvent.Type.MouseButtonRelease:
                    return self._drop(event)
        elif isinstance(event, QKeyEvent) and self._gap is not None:
            if event.key() == Qt.Key.Key_Escape:
                self._stop()
            return True  # no key changes what is being moved
        return super().eventFilter(watched, event)

    def _press(self, event: QMouseEvent) -> bool:
        self._stop()
        row = self._table.indexAt(event.position().toPoint()).row()
        plain = event.modifiers() == Qt.KeyboardModifier.NoModifier
        if event.button() != Qt.MouseButton.LeftButton or not plain or row < 0:
            return False
        self._pressed = event.position().toPoint()
        block = self._table.selected_block()
        if block is None or not block.row <= row < block.rows.stop:
            self._block = Region(row, 0, 1, 1)
            return False
        self._block = block
        # The selection is kept until it is clear that this is no drag.
        self._table.setFocus()
        return block.height > 1

    def _drag(self, event: QMouseEvent) -> bool:
        if self._pressed is None or not event.buttons() & Qt.MouseButton.LeftButton:
            return False
        here = event.position().toPoint()
        way = (here - self._pressed).manhattanLength()
        if self._gap is None and way < QApplication.startDragDistance():
            return True
        self._show_gap(here.y())
        return True  # otherwise the table would extend the selection

    def _show_gap(self, y: int) -> None:
        table = self._table
        height, count = table.rowHeight(0), table.model().rowCount()
        bottom = table.viewport().height() - 1
        row = table.rowAt(max(0, min(y, bottom)))
        row = row if row >= 0 else count - 1
        # Beyond the edge, scroll to the next row.
        row = max(0, min(row + (y > bottom) - (y < 0), count - 1))
        table.scrollTo(table.model().index(row, 0))
        top = table.rowViewportPosition(row)
        self._gap = row + (y > top + height // 2)
        line = top + height * (self._gap - row) - _LINE // 2
        line = max(0, min(line, table.viewport().height() - _LINE))
        self._line.setGeometry(0, line, table.viewport().width(), _LINE)
        self._line.show()
        table.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)

    def _drop(self, event: QMouseEvent) -> bool:
        pressed, gap, block = self._pressed, self._gap, self._block
        self._stop()
        if pressed is None or event.button() != Qt.MouseButton.LeftButton:
            return False
        if gap is None:
            # A plain click into a selection selects that token alone.
            self._table.setCurrentIndex(self._table.indexAt(pressed))
        elif not block.row <= gap <= block.rows.stop:
            self._move(block, gap)
        return False

    def _move(self, block: Region, gap: int) -> None:
        start, count = block.row, block.height
        to = gap if gap < start else gap - count
        edit = move_edit(self._edits.document, self._sequence, start, count, to)
        then = InputSelection(self._table.name, Region(to, 0, count, 1))
        self._edits.submit(edit, then=then)

    def _stop(self) -> None:
        self._pressed = self._gap = None
        self._line.hide()
        self._table.viewport().unsetCursor()
