"""The delegate that opens editors of numbers and texts, and commits them."""

from collections.abc import Callable

from PySide6.QtCore import QAbstractItemModel, QEvent, QObject, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from attnviewer.ui.widgets.cell_editor import CellEditor
from attnviewer.ui.widgets.item_roles import (
    ACCESSIBLE_TEXT,
    ALIGNMENT,
    EDIT,
    ModelIndex,
)
from attnviewer.ui.widgets.reason import ReasonBubble, global_rect


class EditorDelegate(QStyledItemDelegate):
    """Opens editors, and shows beside them why a text was refused.

    Subclasses say what a text is written to.
    """

    entered = Signal(int)
    """Enter committed a text; move by this many rows."""
    stepped = Signal(object)
    """The `QKeyEvent` of an arrow committed a text; move in its direction."""

    def __init__(self, table: QTableView, reason: ReasonBubble) -> None:
        super().__init__(table)
        self._view = table
        self._reason = reason

    def write_cell(self, index: ModelIndex, text: str) -> None:
        """Write a text into a cell.

        Raises
        ------
        ValueError
            With the reason why it is refused.
        """
        raise NotImplementedError

    def write_selection(self, text: str) -> None:
        """Write a text into all selected cells.

        Raises
        ------
        ValueError
            With the reason why it is refused.
        """
        raise NotImplementedError

    def createEditor(
        self, parent: QWidget, option: QStyleOptionViewItem, index: ModelIndex
    ) -> QWidget:
        editor = CellEditor(parent)
        editor.setAlignment(Qt.AlignmentFlag(index.data(ALIGNMENT)))
        editor.setFont(self._view.font())
        editor.setAccessibleName(index.data(ACCESSIBLE_TEXT))
        editor.textEdited.connect(self._reason.clear)
        return editor

    def setEditorData(self, editor: QWidget, index: ModelIndex) -> None:
        assert isinstance(editor, CellEditor)
        editor.load(index.data(EDIT))

    def setModelData(
        self, editor: QWidget, model: QAbstractItemModel, index: ModelIndex
    ) -> None:
        assert isinstance(editor, CellEditor)
        self._write(editor, lambda: self.write_cell(index, editor.text()))

    def _write(self, editor: CellEditor, write: Callable[[], None]) -> None:
        """Commit the text of an editor, or show beside it why it is refused."""
        try:
            write()
        except ValueError as error:
            editor.refuse(str(error))
            self._reason.say(str(error), global_rect(editor))
        else:
            editor.forgive()

    def updateEditorGeometry(
        self, editor: QWidget, option: QStyleOptionViewItem, index: ModelIndex
    ) -> None:
        assert isinstance(editor, CellEditor)
        # Copied: the option owns its rectangle.
        editor.lie_over(QRect(option.rect))

    def destroyEditor(self, editor: QWidget, index: ModelIndex) -> None:
        if isinstance(editor, CellEditor) and editor.refused:
            self._reason.clear()
        super().destroyEditor(editor, index)

    def eventFilter(self, editor: QObject, event: QEvent) -> bool:
        if (
            event.type() == QEvent.Type.KeyPress
            and isinstance(event, QKeyEvent)
            and isinstance(editor, CellEditor)
            and self._leave(editor, event)
        ):
            return True
        return super().eventFilter(editor, event)

    def _leave(self, editor: CellEditor, event: QKeyEvent) -> bool:
        """Commit the text if a key asks for it; return whether the key was handled."""
        leave = editor.leaving(event)
        if leave == "fill":
            self._write(editor, lambda: self.write_selection(editor.text()))
            if not editor.refused:
                self.closeEditor.emit(editor, self.EndEditHint.NoHint)
        elif leave in ("enter", "step") and self._commit(editor):
            if leave == "step":
                self.stepped.emit(event)
            else:
                shift = Qt.KeyboardModifier.ShiftModifier
                self.entered.emit(-1 if event.modifiers() & shift else 1)
        return leave is not None

    def _commit(self, editor: CellEditor) -> bool:
        self.commitData.emit(editor)
        if not editor.refused:
            self.closeEditor.emit(editor, self.EndEditHint.NoHint)
        return not editor.refused
