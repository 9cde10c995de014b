"""A table whose refused texts stay in their cells."""

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QAbstractItemView,
    QTableView,
    QWidget,
)

from attnviewer.ui.widgets.cell_editor import CellEditor
from attnviewer.ui.widgets.item_roles import ModelIndex

_End = QAbstractItemDelegate.EndEditHint
_TO_CORRECT = (
    QAbstractItemView.EditTrigger.EditKeyPressed,
    QAbstractItemView.EditTrigger.DoubleClicked,
)
TABBED = {_End.EditNextItem: 1, _End.EditPreviousItem: -1}
"""How far a Tab that closed an editor moves."""


class EditedTable(QTableView):
    """A table with `CellEditor`s.

    A text that is refused stays in its cell, open, until it is corrected or given up
    with Escape.
    """

    @property
    def editors(self) -> list[CellEditor]:
        """The open editors: the focused one, and those with refused texts."""
        editors = self.viewport().findChildren(CellEditor)
        # Closed ones are hidden until Qt deletes them.
        return [editor for editor in editors if not editor.isHidden()]

    def closeEditor(
        self, editor: QWidget, hint: QAbstractItemDelegate.EndEditHint
    ) -> None:
        refused = isinstance(editor, CellEditor) and editor.refused
        if refused and hint != _End.RevertModelCache:
            # The editor stays open, but must not keep other cells from being edited.
            self.setState(QAbstractItemView.State.NoState)
            return
        super().closeEditor(editor, _End.NoHint)
        self.editor_closed(hint)

    def editor_closed(self, hint: QAbstractItemDelegate.EndEditHint) -> None:
        """Move on, as the key asks that closed an editor."""

    def edit(  # type: ignore[override]
        self,
        index: ModelIndex,
        trigger: QAbstractItemView.EditTrigger,
        event: QEvent,
    ) -> bool:
        opened = super().edit(index, trigger, event)
        editor = self.indexWidget(index)
        if opened and isinstance(editor, CellEditor):
            editor.typed = trigger == QAbstractItemView.EditTrigger.AnyKeyPressed
            if trigger in _TO_CORRECT:
                # Qt selects all; in spreadsheets the cursor is at the end.
                editor.end(False)
        return opened

    def commit_editors(self) -> bool:
        """Commit what is being typed; return whether no text was refused."""
        for editor in self.editors:
            if not editor.refused:
                self.commitData(editor)
            if not editor.refused:
                self.closeEditor(editor, _End.NoHint)
        return not self.editors
