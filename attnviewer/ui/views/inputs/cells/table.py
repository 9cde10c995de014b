"""The editable table: its keys, editors and selection."""

from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QItemSelection,
    QItemSelectionModel,
    QRect,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QHideEvent,
    QKeyEvent,
    QPaintEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemDelegate,
    QAbstractItemView,
    QApplication,
    QWidget,
)

from attnviewer.document import Region
from attnviewer.ui.views.inputs.cells.block_table import BlockTable
from attnviewer.ui.views.inputs.cells.delegate import CellDelegate
from attnviewer.ui.views.inputs.cells.flash import Flash
from attnviewer.ui.views.inputs.cells.header_commands import HeaderCommands
from attnviewer.ui.views.inputs.cells.model import CellModel
from attnviewer.ui.views.inputs.cells.painting import CellPainter
from attnviewer.ui.views.inputs.cells.scrubbing import Scrubbing
from attnviewer.ui.views.inputs.cells.table_look import TableLook
from attnviewer.ui.widgets.edited_table import TABBED
from attnviewer.ui.widgets.item_roles import ModelIndex
from attnviewer.ui.widgets.reason import ReasonBubble

if TYPE_CHECKING:
    from attnviewer.ui.views.inputs.cells.fill_drag import FillDrag

_End = QAbstractItemDelegate.EndEditHint
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_UP_OR_DOWN = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}
_SCRUB = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
_TAB = (Qt.Key.Key_Tab, Qt.Key.Key_Backtab)


class CellTable(BlockTable):
    """A table that is edited like a spreadsheet.

    Typing replaces, F2 and a double click edit; Enter and Tab take over and move
    on, and so do arrows after typing. A text that is refused stays in its cell, open,
    until it is corrected or given up with Escape. Numbers can be scrubbed.

    Parameters
    ----------
    model : CellModel
        The cells.
    reason : ReasonBubble
        Shows reasons.
    name : str
        The name of a matrix, or ``tokens``.
    characters : int
        Width of a column, in characters.
    parent : QWidget, optional
        The Qt parent.

    Attributes
    ----------
    helper : QWidget or None
        A widget that selects in this table, which shows its selection while the
        widget has the focus.
    headings : HeaderCommands
        Mouse actions on the headings.
    """

    current_moved = Signal(QWidget)
    """Another cell is the current one of this table."""
    block_selected = Signal(QWidget)
    """Other cells of this table are selected, or it took the focus."""

    def __init__(
        self,
        model: CellModel,
        reason: ReasonBubble,
        name: str,
        characters: int,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(name, characters, parent)
        self.helper: QWidget | None = None
        self._look: TableLook | None = None
        self._flash = Flash(self)
        self._flash.moved.connect(self._repaint_cells)
        model.edited.connect(self._flash.start)
        self.painter = CellPainter(self, model, self._flash)
        delegate = CellDelegate(self, reason)
        delegate.entered.connect(self._enter)
        delegate.stepped.connect(self._step)
        self.setItemDelegate(delegate)
        self.setEditTriggers(
            QAbstractItemView.EditTrigger.AnyKeyPressed
            | QAbstractItemView.EditTrigger.DoubleClicked
            | QAbstractItemView.EditTrigger.EditKeyPressed
        )
        self.setTabKeyNavigation(False)
        self.setAccessibleDescription(
            self.tr(
                "Type to replace, F2 to edit, Enter and Tab to move, Delete to clear, "
                "Ctrl+Tab to leave the table."
            )
        )
        corner = self.findChild(QAbstractButton)
        if corner is not None:
            corner.setAccessibleName(self.tr("Select all cells"))
        self.show_cells(model)
        self.headings = HeaderCommands(self)
        self._scrubbing = Scrubbing(self)
        self._drags: list[Scrubbing | FillDrag] = [self._scrubbing]

    # ------------------------------------------------------------------- look

    def light(self, rows: tuple[int, ...]) -> None:
        """Frame rows that are linked to what is hovered elsewhere."""
        if rows != self.painter.highlighted_rows:
            self.painter.highlighted_rows = rows
            self.viewport().update()

    def set_look(self, look: TableLook) -> None:
        """Show the cells in a look from now on."""
        look.changed.connect(self._follow_look)
        self._look = look
        self.headings.set_look(look)
        self._follow_look()

    @Slot()
    def _follow_look(self) -> None:
        # Not to be overridden: PySide calls an overridden slot of a deleted table.
        assert self._look is not None
        self.apply_look(self._look)

    def apply_look(self, look: TableLook) -> None:
        """Apply the look."""
        self.set_chosen_width(look.width_of(self.name))
        self._flash.enabled = look.flashing
        if not look.flashing:
            self._flash.stop()

    def paintEvent(self, event: QPaintEvent) -> None:
        for part in event.region():  # type: ignore[attr-defined]  # unknown to stubs
            self.painter.paint(part)

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        super().scrollContentsBy(dx, dy)
        if dx:
            # Scrolling moves pixels, but numbers that were whole may now be cut off.
            edge = abs(dx) + self.horizontalHeader().defaultSectionSize()
            seen = self.viewport().rect()
            self.viewport().update(seen.adjusted(0, 0, edge - seen.width(), 0))
            self.viewport().update(seen.adjusted(seen.width() - edge, 0, 0, 0))

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._flash.stop()

    @property
    def handles(self) -> list[QRect]:
        rects = (drag.handle.rect for drag in self._drags)
        return [rect for rect in rects if not rect.isEmpty()]

    @Slot(object)
    def _repaint_cells(self, region: Region) -> None:
        self.viewport().update(self.painter.block_rect(region))

    # ---------------------------------------------------------------- editors

    def editor_closed(self, hint: QAbstractItemDelegate.EndEditHint) -> None:
        self.show_keys()
        if hint in TABBED and not self.keys.tab(TABBED[hint], typed=True):
            super().focusNextPrevChild(hint == _End.EditNextItem)

    def currentChanged(self, current: ModelIndex, previous: ModelIndex) -> None:
        super().currentChanged(current, previous)
        self.painter.repaint_selection()
        if self.anchored:
            return
        self._enter_open_editor()
        self.current_moved.emit(self)

    def selectionChanged(self, selected: QItemSelection, old: QItemSelection) -> None:
        super().selectionChanged(selected, old)
        self.painter.repaint_selection()
        self.block_selected.emit(self)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.show_keys()
        # A click says itself which cell is meant.
        if event.reason() != Qt.FocusReason.MouseFocusReason:
            self._select_something()
            self._enter_open_editor()
        self.block_selected.emit(self)

    def _select_something(self) -> None:
        # Qt makes the first cell current when the keys come for the first time, but
        # what acts on the selection would act on that of another table.
        if not self.selectionModel().hasSelection():
            select = QItemSelectionModel.SelectionFlag.Select
            self.selectionModel().select(self.currentIndex(), select)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.show_keys()

    @Slot()
    def show_keys(self) -> None:
        """Show the selection only while this table has the focus."""
        focus = QApplication.focusWidget()
        active = focus is not None and any(
            widget is focus or widget.isAncestorOf(focus)
            for widget in (self, self.helper)
            if widget is not None
        )
        if active != self.property("active"):
            self.setProperty("active", active)
            self.viewport().update()
        self.painter.repaint_selection()  # whose handles an editor hides

    def _enter_open_editor(self) -> None:
        editor = self.indexWidget(self.currentIndex())
        if editor is not None and self.hasFocus():
            editor.setFocus()

    # --------------------------------------------------------- keys and mouse

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, modifiers = Qt.Key(event.key()), event.modifiers()
        shift = bool(modifiers & Qt.KeyboardModifier.ShiftModifier)
        control = bool(modifiers & Qt.KeyboardModifier.ControlModifier)
        drag = next((drag for drag in self._drags if drag.dragging), None)
        if key == Qt.Key.Key_Escape and drag is not None:
            drag.give_up()
        elif key in _UP_OR_DOWN and modifiers & _SCRUB == _SCRUB:
            self._scrubbing.nudge(_UP_OR_DOWN[key], fine=shift)
        elif key == Qt.Key.Key_Menu or (key == Qt.Key.Key_F10 and shift):
            cell = self.visualRect(self.currentIndex())
            self.menu_wanted.emit(self.viewport().mapToGlobal(cell.center()))
        elif key in _ENTER and control:
            event.accept()  # it fills the selection with what is being typed
        elif key in _ENTER:
            self._enter(-1 if shift else 1)
        elif key in _TAB and control:
            back = key == Qt.Key.Key_Backtab or shift
            super().focusNextPrevChild(not back)
        elif not self.keys.press(event):
            super().keyPressEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        # Tab goes along the rows and leaves the table at its ends. Qt calls this, too,
        # when what has the focus is hidden.
        focus = QApplication.focusWidget()
        hidden = focus is not None and not focus.isVisible()
        if not hidden and self.keys.tab(1 if forward else -1):
            return True
        return super().focusNextPrevChild(forward)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu_wanted.emit(event.globalPos())

    @Slot(int)
    def _enter(self, rows: int) -> None:
        if self.currentIndex().isValid():
            self.keys.enter(rows)

    @Slot(object)
    def _step(self, event: QKeyEvent) -> None:
        self.keys.press(event)

    def clear_selected(self) -> None:
        """Clear the selected cells."""
        blocks = self.selected_blocks()
        if blocks:
            self.cells.clear_blocks(blocks)


def table_with_the_keys() -> CellTable | None:
    """Return the table that has the focus, or whose editor has it."""
    widget: QWidget | None = QApplication.focusWidget()
    while widget is not None and not isinstance(widget, CellTable):
        widget = widget.parentWidget()
    return widget
