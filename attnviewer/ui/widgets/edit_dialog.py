"""Dialogs that edit the document they were opened for."""

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QDialog, QWidget

from attnviewer.document import Edit
from attnviewer.ui.state.cursor import InputSelection
from attnviewer.ui.state.undo import EditStack


class EditDialog(QDialog):
    """A dialog about the document as it is; closes when that changes.

    Parameters
    ----------
    edits : EditStack
        Where the edit goes.
    parent : QWidget
        The window.
    """

    def __init__(self, edits: EditStack, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._edits = edits
        self._submitting = False
        edits.indexChanged.connect(self._leave)
        edits.activeStackChanged.connect(self._leave)

    def submit(self, edit: Edit, then: InputSelection | None = None) -> None:
        """Submit the edit; see `EditStack.submit`."""
        self._submitting = True
        try:
            self._edits.submit(edit, then=then)
        finally:
            self._submitting = False

    @Slot()
    def _leave(self) -> None:
        if not self._submitting:
            self.reject()
