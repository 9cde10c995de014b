"""Scrubbing: numbers changed by dragging, wheel or keys."""

from dataclasses import dataclass
from time import monotonic

from PySide6.QtCore import QEvent, QObject, QPointF, QRect, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent

from attnviewer.document import Region
from attnviewer.document.scrub import FINE, scrubbed
from attnviewer.ui.state.cursor import InputSelection
from attnviewer.ui.views.inputs.cells.block_table import BlockTable
from attnviewer.ui.views.inputs.cells.handle import Handle

PAUSE = 0.6
"""Seconds after which the next wheel step begins a new gesture."""

_GRIP = 5  # how wide the handle is
_PIXELS = 4  # for one step of a drag
_NOTCH = 120  # eighths of a degree for one step of a wheel, as Qt counts
_SHIFT = Qt.KeyboardModifier.ShiftModifier


@dataclass(slots=True, eq=False)
class _Gesture:
    """A gesture on a cell; `start` is the number before it."""

    row: int
    column: int
    start: float
    number: float
    fine_steps: int = 0
    turned: int = 0
    at: float = 0.0


class Scrubbing(QObject):
    """Changes a cell by Ctrl and the wheel, by dragging or by keys.

    A drag begins at the handle on the left of the current cell, or anywhere with Alt.

    A drag is one step of undo, and so are turns of the wheel, or keys, that follow
    each other without a pause. Shift makes the steps ten times finer.
    """

    def __init__(self, table: BlockTable) -> None:
        super().__init__(table)
        self._table = table
        self._turn: _Gesture | None = None
        self._drag: _Gesture | None = None
        self._pressed = QPointF()
        self._dragged = 0
        tip = self.tr(
            "Drag left or right to change the number; hold Shift for finer steps"
        )
        self.handle = Handle(table, self._grip, Qt.CursorShape.SizeHorCursor, tip)
        table.viewport().installEventFilter(self)

    @property
    def dragging(self) -> bool:
        """Whether a drag is in progress."""
        return self._drag is not None

    def nudge(self, steps: int, *, fine: bool) -> None:
        """Change the current cell, as a key does."""
        index = self._table.currentIndex()
        turn = self._turn_of(index.row(), index.column())
        if turn is not None:
            self._move(turn, steps if fine else steps * FINE)

    def give_up(self) -> None:
        """Restore the number from before the drag."""
        drag, self._drag = self._drag, None
        self._table.viewport().unsetCursor()
        if drag is not None and self._stands(drag):
            self._move(drag, -drag.fine_steps)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QWheelEvent):
            return self._wheel(event)
        if isinstance(event, QMouseEvent):
            if event.type() == QEvent.Type.MouseButtonPress:
                return self._press(event)
            if event.type() == QEvent.Type.MouseMove and self._drag is not None:
                self._drag_to(self._drag, event)
                return True
            if event.type() == QEvent.Type.MouseButtonRelease and self._drag:
                self._drag = None
                self._table.viewport().unsetCursor()
                return True
        return super().eventFilter(watched, event)

    def _wheel(self, event: QWheelEvent) -> bool:
        if not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            return False
        index = self._table.indexAt(event.position().toPoint())
        turn = self._turn_of(index.row(), index.column())
        if turn is not None:
            self._take(turn)
            # Some systems turn a wheel sideways while Shift is held.
            turn.turned += event.angleDelta().y() or event.angleDelta().x()
            notches = int(turn.turned / _NOTCH)
            turn.turned -= notches * _NOTCH
            fine = bool(event.modifiers() & _SHIFT)
            self._move(turn, notches if fine else notches * FINE)
        # Do not scroll while a number is being changed.
        return True

    def _press(self, event: QMouseEvent) -> bool:
        alt = event.modifiers() & Qt.KeyboardModifier.AltModifier
        grabbed = alt or self.handle.is_at(event.position().toPoint())
        if not grabbed or event.button() != Qt.MouseButton.LeftButton:
            return False
        index = self._table.indexAt(event.position().toPoint())
        self._drag = self._begun(index.row(), index.column())
        if self._drag is None:
            return False
        self._pressed, self._dragged = event.position(), 0
        self._take(self._drag)
        self._table.viewport().setCursor(Qt.CursorShape.SizeHorCursor)
        return True

    def _drag_to(self, drag: _Gesture, event: QMouseEvent) -> None:
        dragged = int((event.position().x() - self._pressed.x()) / _PIXELS)
        steps, self._dragged = dragged - self._dragged, dragged
        if steps and self._stands(drag):
            fine = bool(event.modifiers() & _SHIFT)
            self._move(drag, steps if fine else steps * FINE)

    def _grip(self) -> QRect:
        """Return the rectangle of the handle, at the current number's left edge."""
        index = self._table.currentIndex()
        if not index.isValid():
            return QRect()
        if self._table.cells.number(index.row(), index.column()) is None:
            return QRect()
        cell = self._table.visualRect(index)
        above = cell.height() // 4
        return QRect(cell.left(), cell.top() + above, _GRIP, cell.height() - 2 * above)

    def _turn_of(self, row: int, column: int) -> _Gesture | None:
        """Return the wheel or key gesture in progress, or a new one."""
        turn = self._turn
        if (
            turn is None
            or (turn.row, turn.column) != (row, column)
            or monotonic() - turn.at > PAUSE
            or not self._stands(turn)
        ):
            turn = self._turn = self._begun(row, column)
        if turn is not None:
            turn.at = monotonic()
        return turn

    def _begun(self, row: int, column: int) -> _Gesture | None:
        index = self._table.model().index(row, column)
        # A cell that is being edited must not change.
        if not index.isValid() or self._table.indexWidget(index) is not None:
            return None
        number = self._table.cells.number(row, column)
        return None if number is None else _Gesture(row, column, number, number)

    def _stands(self, gesture: _Gesture) -> bool:
        """Return whether the cell exists and is as the gesture left it."""
        row, column = gesture.row, gesture.column
        if not self._table.model().index(row, column).isValid():
            return False
        return self._table.cells.number(row, column) == gesture.number

    def _take(self, gesture: _Gesture) -> None:
        self._table.setFocus(Qt.FocusReason.MouseFocusReason)
        self._table.keys.go(gesture.row, gesture.column)

    def _move(self, gesture: _Gesture, fine_steps: int) -> None:
        gesture.fine_steps += fine_steps
        gesture.number = scrubbed(gesture.start, gesture.fine_steps)
        block = Region(gesture.row, gesture.column, 1, 1)
        selection = InputSelection(self._table.name, block)
        self._table.cells.scrub(selection, gesture.number, gesture)
