"""Between a cell and the line it is edited in."""

from PySide6.QtCore import QAbstractItemModel, QEvent, QObject, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from attnviewer.ui.inputs.cell_editor import CellEditor
from attnviewer.ui.inputs.cell_model import CellModel, Place
from attnviewer.ui.item_roles import ACCESSIBLE_TEXT, ALIGNMENT, EDIT
from attnviewer.ui.reason import ReasonBubble, place_of

_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class CellDelegate(QStyledItemDelegate):
    """Opens cells for editing, and says beside them why a text was refused.

    Parameters
    ----------
    table : QTableView
        The table it serves; it owns the delegate.
    reason : ReasonBubble
        Where reasons are shown.
    """

    entered = Signal(int)
    """Enter took a text over; move on by so many rows."""

    def __init__(self, table: QTableView, reason: ReasonBubble) -> None:
        super().__init__(table)
        self._table = table
        self._reason = reason

    def createEditor(
        self, parent: QWidget, option: QStyleOptionViewItem, index: Place
    ) -> QWidget:
        editor = CellEditor(parent)
        editor.setAlignment(Qt.AlignmentFlag(index.data(ALIGNMENT)))
        editor.setFont(self._table.font())
        editor.setAccessibleName(index.data(ACCESSIBLE_TEXT))
        editor.textEdited.connect(self._reason.clear)
        return editor

    def setEditorData(self, editor: QWidget, index: Place) -> None:
        assert isinstance(editor, CellEditor)
        editor.load(index.data(EDIT))

    def setModelData(
        self, editor: QWidget, model: QAbstractItemModel, index: Place
    ) -> None:
        assert isinstance(editor, CellEditor)
        assert isinstance(model, CellModel)
        try:
            model.write(index.row(), index.column(), editor.text())
        except ValueError as error:
            editor.refuse(str(error))
            self._reason.say(str(error), place_of(editor))
        else:
            editor.forgive()

    def updateEditorGeometry(
        self, editor: QWidget, option: QStyleOptionViewItem, index: Place
    ) -> None:
        assert isinstance(editor, CellEditor)
        # The option's own rectangle dies with the option.
        editor.lie_over(QRect(option.rect))

    def destroyEditor(self, editor: QWidget, index: Place) -> None:
        if isinstance(editor, CellEditor) and editor.refused:
            self._reason.clear()
        super().destroyEditor(editor, index)

    def eventFilter(self, editor: QObject, event: QEvent) -> bool:
        if (
            event.type() == QEvent.Type.KeyPress
            and isinstance(event, QKeyEvent)
            and isinstance(editor, CellEditor)
            and event.key() in _ENTER
        ):
            back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self._enter(editor, -1 if back else 1)
            return True
        return super().eventFilter(editor, event)

    def _enter(self, editor: CellEditor, rows: int) -> None:
        self.commitData.emit(editor)
        if not editor.refused:
            self.closeEditor.emit(editor, self.EndEditHint.NoHint)
            self.entered.emit(rows)
