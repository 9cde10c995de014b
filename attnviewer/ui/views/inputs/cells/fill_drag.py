"""The fill handle: filling by dragging the selection's corner."""

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QMouseEvent

from attnviewer.document import Region
from attnviewer.document.series import continued, repeated
from attnviewer.ui.state.cursor import InputSelection
from attnviewer.ui.views.inputs.cells.block_table import BlockTable
from attnviewer.ui.views.inputs.cells.handle import Handle
from attnviewer.ui.views.inputs.cells.painting import CellPainter

_SIDE = 5


class FillDrag(QObject):
    """Copies the selected block, or continues it as a linear series.

    Several rows (or columns) are continued and a single one is copied; Ctrl at the
    release of the button swaps the two. A frame shows what will be filled; Escape
    cancels.
    """

    def __init__(self, table: BlockTable, painter: CellPainter) -> None:
        super().__init__(table)
        self._table = table
        self._painter = painter
        self._source: Region | None = None
        self._target: Region | None = None
        self._held = False
        tip = self.tr(
            "Drag to fill: one row or column is copied, several continue as a series; "
            "hold Ctrl for the other"
        )
        self.handle = Handle(table, self._corner, Qt.CursorShape.CrossCursor, tip)
        table.viewport().installEventFilter(self)

    @property
    def dragging(self) -> bool:
        """Whether a drag is in progress."""
        return self._source is not None

    def give_up(self) -> None:
        """Cancel the drag."""
        self._source = None
        self._aim(None)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QMouseEvent):
            return False
        position = event.position().toPoint()
        if event.type() == QEvent.Type.MouseButtonPress:
            left = event.button() == Qt.MouseButton.LeftButton
            if not (left and self.handle.is_at(position)):
                return False
            self._source, self._held = self._table.selected_block(), True
            return True
        # After Escape, too: otherwise the table would select cells under the pointer.
        held, released = self._held, event.type() == QEvent.Type.MouseButtonRelease
        if released:
            self._held = False
        if self._source is not None and event.type() == QEvent.Type.MouseMove:
            self._drag_to(self._source, position)
        elif self._source is not None and released:
            other = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
            self._fill(self._source, other=other)
            self.give_up()
        return held

    def _corner(self) -> QRect:
        """Return the rectangle of the handle, at the lower right of a single block."""
        blocks = self._table.selected_blocks()
        if len(blocks) != 1:
            return QRect()
        rect = self._painter.block_rect(blocks[0])
        return QRect(rect.right() - _SIDE, rect.bottom() - _SIDE, _SIDE, _SIDE)

    def _drag_to(self, source: Region, position: QPoint) -> None:
        row, column = self._cell_at(position)
        bottom, right = source.rows.stop, source.columns.stop
        ways = (
            Region(bottom, source.column, row + 1 - bottom, source.width),
            Region(row, source.column, source.row - row, source.width),
            Region(source.row, right, source.height, column + 1 - right),
            Region(source.row, column, source.height, source.column - column),
        )
        reaches = [ways[0].height, ways[1].height, ways[2].width, ways[3].width]
        farthest = max(reaches)
        self._aim(ways[reaches.index(farthest)] if farthest > 0 else None)

    def _cell_at(self, position: QPoint) -> tuple[int, int]:
        """Return the cell at a position; beyond the edge, scroll to the next one."""
        row, column = self._table.cell_near(position)
        sight, cells = self._table.viewport().rect(), self._table.model()
        down = (position.y() > sight.bottom()) - (position.y() < 0)
        across = (position.x() > sight.right()) - (position.x() < 0)
        beyond = cells.index(row + down, column + across)
        if not beyond.isValid():
            return row, column
        self._table.scrollTo(beyond)
        return beyond.row(), beyond.column()

    def _aim(self, target: Region | None) -> None:
        if target != self._target:
            self._target = target
            self._painter.framed = target
            self._table.viewport().update()

    def _fill(self, source: Region, *, other: bool) -> None:
        target = self._target
        if target is None:
            return
        down = target.column == source.column and target.width == source.width
        back = target.row < source.row or target.column < source.column
        values = self._table.cells.values(source)  # (height, width)
        lines = values if down else values.T
        lines = lines[::-1] if back else lines
        series = (len(lines) > 1) != other
        count = target.height if down else target.width
        filled = (continued if series else repeated)(lines, count)
        filled = filled[::-1] if back else filled
        label = self.tr("Fill copies in {table}")
        if series:
            label = self.tr("Fill a series in {table}")
        whole = _around(source, target)
        self._table.cells.write_blocks(
            label.format(table=self._table.name),
            [(target, filled if down else filled.T)],
            then=InputSelection(self._table.name, whole),
        )
        self._table.select_block(whole)


def _around(one: Region, other: Region) -> Region:
    """Return the smallest block that contains two blocks."""
    row, column = min(one.row, other.row), min(one.column, other.column)
    height = max(one.rows.stop, other.rows.stop) - row
    width = max(one.columns.stop, other.columns.stop) - column
    return Region(row, column, height, width)
