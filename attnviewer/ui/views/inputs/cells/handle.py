"""Drag handles in a table."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QHelpEvent, QMouseEvent
from PySide6.QtWidgets import QToolTip

from attnviewer.ui.views.inputs.cells.block_table import BlockTable
from attnviewer.ui.widgets.tool_tips import plain_tip

_AROUND = 2
"""The margin around a handle that still counts as a hit."""


class Handle(QObject):
    """A drag handle with its own cursor and tool tip.

    It is active while its table has the focus and nothing is being typed.

    Parameters
    ----------
    table : BlockTable
        The table, which owns it.
    rect : callable
        Returns its rectangle in the viewport, which may be empty.
    cursor : Qt.CursorShape
        Shown while the pointer is over it.
    tip : str
        What it does.
    """

    def __init__(
        self,
        table: BlockTable,
        rect: Callable[[], QRect],
        cursor: Qt.CursorShape,
        tip: str,
    ) -> None:
        super().__init__(table)
        self._table = table
        self._rect = rect
        self._cursor = cursor
        self._tip = tip
        self._pointed_at = False
        table.viewport().installEventFilter(self)

    @property
    def rect(self) -> QRect:
        """Its rectangle in the viewport; empty while it is not shown."""
        active = self._table.property("active") and not self._table.editors
        return self._rect() if active else QRect()

    def is_at(self, position: QPoint) -> bool:
        """Return whether a position in the viewport hits it."""
        rect = self.rect
        around = rect.adjusted(-_AROUND, -_AROUND, _AROUND, _AROUND)
        return not rect.isEmpty() and around.contains(position)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QMouseEvent) and not event.buttons():
            self._point(event.position().toPoint())
        elif isinstance(event, QHelpEvent) and self.is_at(event.pos()):
            QToolTip.showText(event.globalPos(), plain_tip(self._tip), self._table)
            return True
        return False

    def _point(self, position: QPoint) -> None:
        pointed_at = self.is_at(position)
        if pointed_at == self._pointed_at:
            return
        self._pointed_at = pointed_at
        if pointed_at:
            self._table.viewport().setCursor(self._cursor)
        else:
            self._table.viewport().unsetCursor()
