"""Undo: edits and their inverses on Qt's stacks."""

from PySide6.QtCore import QObject
from PySide6.QtGui import QUndoCommand, QUndoGroup, QUndoStack

from attnviewer.document import Document, Edit
from attnviewer.ui.action_text import action_text


class EditStack(QUndoGroup):
    """The one way for an edit: checked, then pushed, then applied.

    Undo and redo are those of the open document; a document that was set aside
    finds its own again when it is opened once more.

    Parameters
    ----------
    document : Document
        What the edits change.
    parent : QObject, optional
        Qt's owner.
    """

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._stacks: dict[Document, QUndoStack] = {}
        self.set_document(document)

    @property
    def document(self) -> Document:
        """What the edits change."""
        return self._document

    def set_document(self, document: Document) -> None:
        """Go on with another document, where it was left or from its beginning."""
        self._document = document
        if document not in self._stacks:
            self._stacks[document] = QUndoStack(self)
        self.setActiveStack(self._stacks[document])

    def forget(self, document: Document) -> None:
        """Let go of the edits of a document that is not open."""
        stack = self._stacks.pop(document)
        self.removeStack(stack)
        stack.deleteLater()

    def count(self) -> int:
        """Return how many edits can be walked through, done and undone ones."""
        return self._stacks[self._document].count()

    def submit(self, edit: Edit) -> None:
        """Apply an edit so that it can be undone.

        Raises
        ------
        EditError
            With the reason; neither document nor stack has changed then.
        """
        # A redo that raised would still count as done on the stack.
        self._document.check(edit)
        self._stacks[self._document].push(_EditCommand(self._document, edit))


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
