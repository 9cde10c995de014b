"""The delegate that opens and commits cell editors."""

from collections.abc import Callable

from PySide6.QtCore import QAbstractItemModel, QEvent, QObject, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from attnviewer.ui.views.inputs.cells.block_table import BlockTable
from attnviewer.ui.views.inputs.cells.editor import CellEditor
from attnviewer.ui.views.inputs.cells.filling import fill_typed
from attnviewer.ui.views.inputs.cells.model import CellModel
from attnviewer.ui.widgets.item_roles import (
    ACCESSIBLE_TEXT,
    ALIGNMENT,
    EDIT,
    ModelIndex,
)
from attnviewer.ui.widgets.reason import ReasonBubble, global_rect

_ASIDE = (Qt.Key.Key_Left, Qt.Key.Key_Right)
_AWAY = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class CellDelegate(QStyledItemDelegate):
    """Opens editors, and shows beside them why a text was refused."""

    entered = Signal(int)
    """Enter committed a text; move by this many rows."""
    stepped = Signal(object)
    """The `QKeyEvent` of an arrow committed a text; move in its direction."""

    def __init__(self, table: BlockTable, reason: ReasonBubble) -> None:
        super().__init__(table)
        self._table = table
        self._reason = reason

    def createEditor(
        self, parent: QWidget, option: QStyleOptionViewItem, index: ModelIndex
    ) -> QWidget:
        editor = CellEditor(parent)
        editor.setAlignment(Qt.AlignmentFlag(index.data(ALIGNMENT)))
        editor.setFont(self._table.font())
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
        assert isinstance(model, CellModel)
        self._write(
            editor, lambda: model.write(index.row(), index.column(), editor.text())
        )

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
        key, modifiers = event.key(), event.modifiers()
        plain = not modifiers & ~Qt.KeyboardModifier.KeypadModifier
        if key in _ENTER and modifiers & Qt.KeyboardModifier.ControlModifier:
            self._write(editor, lambda: fill_typed(self._table, editor.text()))
            if not editor.refused:
                self.closeEditor.emit(editor, self.EndEditHint.NoHint)
        elif key in _ENTER:
            if self._commit(editor):
                back = bool(modifiers & Qt.KeyboardModifier.ShiftModifier)
                self.entered.emit(-1 if back else 1)
        elif plain and (key in _AWAY or (key in _ASIDE and editor.typed)):
            if self._commit(editor):
                self.stepped.emit(event)
        elif plain and key == Qt.Key.Key_F2:
            editor.typed = not editor.typed
        else:
            return False
        return True

    def _commit(self, editor: CellEditor) -> bool:
        self.commitData.emit(editor)
        if not editor.refused:
            self.closeEditor.emit(editor, self.EndEditHint.NoHint)
        return not editor.refused
