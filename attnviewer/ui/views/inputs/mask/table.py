"""The table that the mask is painted in."""

from PySide6.QtCore import QItemSelectionModel, QPoint, QSize, Qt, Slot
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QMouseEvent, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from attnviewer.document import MASK
from attnviewer.ui.views.inputs.cells.table import CellTable
from attnviewer.ui.views.inputs.mask.delegate import MaskDelegate
from attnviewer.ui.views.inputs.mask.header import UprightHeader
from attnviewer.ui.views.inputs.mask.model import MaskModel
from attnviewer.ui.views.inputs.mask.stroke import Stroke
from attnviewer.ui.widgets.reason import ReasonBubble

TOKEN_CHARACTERS = 9
"""Room for a token."""

_AROUND_LINE = 4
_BESIDE_TOKEN = 11

_PAINTS = {
    Qt.Key.Key_0: False,
    Qt.Key.Key_H: False,
    Qt.Key.Key_1: True,
    Qt.Key.Key_V: True,
}
_CHORDS = (
    Qt.KeyboardModifier.ControlModifier
    | Qt.KeyboardModifier.AltModifier
    | Qt.KeyboardModifier.MetaModifier
)


class MaskTable(CellTable):
    """A table of small squares that are painted with mouse or keyboard.

    A press toggles the cell under the pointer, and dragging gives all cells on the way
    the same state. With the right button or Shift the first cell keeps its state, and
    the others get it. Space toggles the selected block.
    """

    most_rows = 20

    def __init__(
        self, model: MaskModel, reason: ReasonBubble, parent: QWidget | None = None
    ) -> None:
        self._mask = model
        self._stroke: Stroke | None = None
        super().__init__(model, reason, MASK, TOKEN_CHARACTERS, parent)
        self.setItemDelegate(MaskDelegate(self))
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent, False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        header = UprightHeader(self)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setMinimumSectionSize(1)
        self.setHorizontalHeader(header)
        header.show()
        model.headerDataChanged.connect(self._follow_headings)
        self.setAccessibleDescription(
            self.tr(
                "Drag to paint, Space to toggle the selected cells, 1 to "
                "show and 0 to hide them, Ctrl+Tab to leave the table."
            )
        )
        self.fit()

    # ------------------------------------------------------------------- size

    def cell_size(self) -> QSize:
        side = self.fontMetrics().height() + _AROUND_LINE
        return QSize(side, side)

    def heading_size(self) -> QSize:
        advance = self.fontMetrics().horizontalAdvance
        beside, above = (
            advance("0" * longest) + _BESIDE_TOKEN for longest in self._longest_names()
        )
        return QSize(beside, above)

    def _longest_names(self) -> list[int]:
        """Return the characters of the longest query and key, bounded."""
        return [
            min(max(map(len, tokens), default=0) + extra, TOKEN_CHARACTERS)
            for tokens, extra in zip(self._mask.labels, (2, 0), strict=True)
        ]

    @Slot(Qt.Orientation)
    def _follow_headings(self, side: Qt.Orientation) -> None:
        # Those of rows change with each cell; with other names, those of columns do.
        if side == Qt.Orientation.Horizontal:
            self.fit()

    def reset(self) -> None:
        self._stroke = None
        super().reset()

    def paintEvent(self, event: QPaintEvent) -> None:
        # Squares without text: the delegate is fast enough.
        QTableView.paintEvent(self, event)

    # ------------------------------------------------------------------ mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        point = event.position().toPoint()
        index = self.indexAt(point)
        painting = (Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton)
        if event.button() not in painting or not index.isValid():
            super().mousePressEvent(event)
            return
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        like_this = shift or event.button() == Qt.MouseButton.RightButton
        visible = self._mask.is_visible(index.row(), index.column())
        self._stroke = Stroke(visible if like_this else not visible)
        self.selectionModel().setCurrentIndex(
            index, QItemSelectionModel.SelectionFlag.ClearAndSelect
        )
        self._paint_to(point)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        # The second press of a double click toggles the cell again.
        self.mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._stroke is None:
            super().mouseMoveEvent(event)
        else:
            self._paint_to(event.position().toPoint())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._stroke is None:
            super().mouseReleaseEvent(event)
        self._stroke = None

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        # The right button paints.
        if event.reason() != QContextMenuEvent.Reason.Mouse:
            super().contextMenuEvent(event)

    def _paint_to(self, point: QPoint) -> None:
        assert self._stroke is not None
        cells = self._stroke.reach(self.cell_near(point))
        self._mask.paint_stroke(self._stroke, cells)

    # ------------------------------------------------------------------- keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        shift = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        block = self.selected_block()
        if block is None or event.modifiers() & _CHORDS:
            super().keyPressEvent(event)
        elif key in _PAINTS:
            self._mask.paint(block, visible=_PAINTS[key])
        elif key == Qt.Key.Key_Space and not shift:
            current = self.currentIndex()
            visible = self._mask.is_visible(current.row(), current.column())
            self._mask.paint(block, visible=not visible)
        else:
            super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:
        """Do nothing: cells have no text to search."""
