"""The tree view of a derivation."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QModelIndex, QPoint, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QSizePolicy,
    QStyle,
    QStyleOptionViewItem,
    QTreeView,
    QWidget,
)

from attnviewer.compute import Cell
from attnviewer.document import Derivation, Worked
from attnviewer.ui.views.explain.tree.model import DerivationModel
from attnviewer.ui.views.explain.tree.rows import DerivationRows
from attnviewer.ui.widgets.item_roles import ModelIndex

_INDENT = 2
"""Indent per level, in characters."""
_RIGHT, _LEFT, _SPACE = Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_Space
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class DerivationTree(QTreeView):
    """Numbers with their formulas; each row expands to its operands.

    Arrows move, expand and collapse; Enter or a click on a number follows it. The view
    is as high as its rows: the enclosing area scrolls.

    Attributes
    ----------
    followed : Signal
        The `Cell` of a number that the user follows.
    """

    followed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("explain.tree")
        self.setAccessibleName(self.tr("Where the number comes from"))
        self.setAccessibleDescription(
            self.tr(
                "Right and Left expand and collapse a number, Enter goes to its cell, "
                "Tab leaves."
            )
        )
        self.setHeaderHidden(True)
        self.setExpandsOnDoubleClick(False)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.viewport().setMouseTracking(True)
        self._model = DerivationModel(self)
        self._rows = DerivationRows(self, self._model)
        self._pressed: Cell | None = None
        # The rows in sight by their identity; None until they are laid out.
        self._places: dict[int, tuple[QModelIndex, QRect]] | None = None
        self._counted = 0
        self._hinted = QSize()
        self.setModel(self._model)
        self.setItemDelegate(self._rows)
        self.collapsed.connect(self._close)
        self.expanded.connect(self._open)

    @property
    def root(self) -> Worked | None:
        """The number whose derivation is shown."""
        return self._model.root

    def show_derivation(
        self, root: Worked | None, derivation: Derivation | None
    ) -> None:
        """Show the operands of another number, worked out as rows are expanded."""
        path = self._current_path()
        if self._model.show(root, derivation):
            self._rows.forget()
            self._expand(QModelIndex())
            self._go_to(path)
            self.scheduleDelayedItemsLayout()
            self._fit()

    def follow(self, derivation: Derivation) -> None:
        """Work further numbers out from newer steps; those shown are the same."""
        self._model.follow(derivation)

    def forget(self) -> None:
        """Drop what further numbers would be worked out from, while hidden."""
        self._model.forget()

    def restyle(self) -> None:
        """Lay the rows out again, for another theme or font."""
        self._rows.forget()
        self.setIndentation(_INDENT * self.fontMetrics().horizontalAdvance("0"))
        self.scheduleDelayedItemsLayout()
        self._fit()

    def sizeHint(self) -> QSize:
        self.executeDelayedItemsLayout()
        last = self._last()
        bottom = self.visualRect(last).bottom() + 1 if last.isValid() else 0
        self._counted = self._frame()
        width, height = self.width(), bottom + self.verticalOffset() + self._counted
        if width <= self._hinted.width():
            # Narrower rows may be lower. An area that shows a scroll bar because of the
            # wider ones would hide it again, and so on for ever.
            height = max(height, self._hinted.height())
        self._hinted = QSize(width, height)
        return QSize(0, height)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.restyle()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.scheduleDelayedItemsLayout()
            self._places = None
            self.updateGeometry()
        elif self._counted != self._frame():
            self._fit()  # the style sheet has given it a frame since

    def dataChanged(
        self, first: ModelIndex, last: ModelIndex, roles: Sequence[int] = ()
    ) -> None:
        # Qt would paint all rows, and measure the first of several.
        above = first.parent()
        for row in range(first.row(), last.row() + 1):
            index = self._model.index(row, 0, above)
            _, rect = self._placed().get(index.internalId(), (index, QRect()))
            changed = self._rows.update(index, rect)
            if changed is None:
                super().dataChanged(index, index)
                self._fit()
            for area in changed or ():
                self.viewport().update(area)

    def doItemsLayout(self) -> None:
        self._places = None
        super().doItemsLayout()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        self._places = None
        super().scrollContentsBy(dx, dy)

    def paintEvent(self, event: QPaintEvent) -> None:
        # Qt's own version asks model and style for much that these rows do not use.
        exposed, places = event.region(), self._placed()
        painter = QPainter(self.viewport())
        self._rows.expose(exposed)
        for index, rect in places.values():
            if not exposed.intersects(rect):
                continue
            indent = self._rows.indent(index)
            own = self.indentation()
            arrow = QRect(rect.left() + indent - own, rect.top(), own, rect.height())
            # Edits change only the text.
            if exposed.intersects(arrow) and self._model.hasChildren(index):
                self._draw_arrow(painter, arrow, index)
            self._rows.draw(painter, rect.adjusted(indent, 0, 0, 0), index)
        painter.end()

    def _draw_arrow(self, painter: QPainter, rect: QRect, index: QModelIndex) -> None:
        """Draw what opens a row; Qt's `drawBranches` takes the state of its own row."""
        option = QStyleOptionViewItem()
        self.initViewItemOption(option)
        option.rect = rect
        option.state |= QStyle.StateFlag.State_Item | QStyle.StateFlag.State_Children
        if self.isExpanded(index):
            option.state |= QStyle.StateFlag.State_Open
        branch = QStyle.PrimitiveElement.PE_IndicatorBranch
        self.style().drawPrimitive(branch, option, painter, self)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if not self.currentIndex().isValid():
            self.setCurrentIndex(self._model.index(0, 0))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, index = event.key(), self.currentIndex()
        if key in _ENTER and index.isValid():
            self.followed.emit(self._model.worked(index).cell)
        elif key == Qt.Key.Key_Asterisk:
            event.ignore()  # Qt would expand all levels, which are unbounded
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        self._pressed = self._cell_at(event.position().toPoint())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        cell = self._cell_at(event.position().toPoint())
        left = event.button() == Qt.MouseButton.LeftButton
        if left and cell is not None and cell == self._pressed:
            self.followed.emit(cell)
        self._pressed = None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        over = self._cell_at(event.position().toPoint()) is not None
        shape = (
            Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor
        )
        self.viewport().setCursor(shape)

    def _cell_at(self, point: QPoint) -> Cell | None:
        index = self.indexAt(point)
        if not index.isValid():
            return None
        rect = self.visualRect(index)
        return self._rows.cell_at(index, rect, point.x(), point.y())

    def _frame(self) -> int:
        """Return the height of the frame and the padding, in pixels."""
        return self.height() - self.viewport().height()

    def _expand(self, parent: QModelIndex) -> None:
        for row in range(self._model.rowCount(parent)):
            index = self._model.index(row, 0, parent)
            if self._model.worked(index).opened:
                self.expand(index)
                self._expand(index)

    def _current_path(self) -> list[int]:
        path: list[int] = []
        index = self.currentIndex()
        while index.isValid():
            path.insert(0, index.row())
            index = index.parent()
        return path

    def _go_to(self, path: list[int]) -> None:
        """Make the row at a path current, or its nearest existing ancestor."""
        index = QModelIndex()
        for row in path:
            below = self._model.index(row, 0, index)
            if not below.isValid() or (index.isValid() and not self.isExpanded(index)):
                break
            index = below
        self.setCurrentIndex(index)

    def _placed(self) -> dict[int, tuple[QModelIndex, QRect]]:
        """Return the rows in sight by their identity, and where they are."""
        self.executeDelayedItemsLayout()
        if self._places is None:
            self._places = {}
            index, width = self._model.index(0, 0), self.viewport().width()
            while index.isValid():
                rect = self.visualRect(index)
                place = QRect(0, rect.top(), width, rect.height())
                self._places[index.internalId()] = index, place
                index = self.indexBelow(index)
        return self._places

    def _last(self) -> QModelIndex:
        index = QModelIndex()
        while (rows := self._model.rowCount(index)) and (
            not index.isValid() or self.isExpanded(index)
        ):
            index = self._model.index(rows - 1, 0, index)
        return index

    @Slot(QModelIndex)
    def _open(self, index: QModelIndex) -> None:
        self._model.open(index)
        self._fit()

    @Slot(QModelIndex)
    def _close(self, index: QModelIndex) -> None:
        self._model.close(index)
        self._fit()

    @Slot()
    def _fit(self) -> None:
        self._places, self._hinted = None, QSize()
        self.updateGeometry()
