"""Undo: edits and their inverses on Qt's stack."""

from PySide6.QtCore import QObject
from PySide6.QtGui import QUndoCommand, QUndoStack

from attnviewer.document import Document, Edit
from attnviewer.ui.action_text import action_text


class EditStack(QUndoStack):
    """The one way for an edit: checked, then pushed, then applied.

    Parameters
    ----------
    document : Document
        What the edits change.
    parent : QObject, optional
        Qt's owner.
    """

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document

    @property
    def document(self) -> Document:
        """What the edits change."""
        return self._document

    def set_document(self, document: Document) -> None:
        """Forget all edits and begin with another document."""
        self._document = document
        self.clear()

    def submit(self, edit: Edit) -> None:
        """Apply an edit so that it can be undone.

        Raises
        ------
        EditError
            With the reason; neither document nor stack has changed then.
        """
        # A redo that raised would still count as done on the stack.
        self._document.check(edit)
        self.push(_EditCommand(self._document, edit))


class _EditCommand(QUndoCommand):
    def __init__(self, document: Document, edit: Edit) -> None:
        super().__init__(action_text(edit.label))
        self._document = document
        self._edit = edit
        self._inverse: Edit | None = None

    def redo(self) -> None:
        self._inverse = self._document.apply(self._edit)

    def undo(self) -> None:
        assert self._inverse is not None
        self._document.apply(self._inverse)
