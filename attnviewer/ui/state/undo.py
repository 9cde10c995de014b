"""Undo: the stacks of edits of all documents of a window."""

from collections.abc import Sequence

from PySide6.QtCore import QObject
from PySide6.QtGui import QUndoGroup

from attnviewer.document import Document, Edit, SetCells
from attnviewer.ui.state.cursor import InputCursor, InputSelection
from attnviewer.ui.state.edit_commands import (
    Changes,
    DocumentStack,
    EditCommand,
    LastEdit,
    Step,
)


class EditStack(QUndoGroup):
    """The only way to edit a document: apply, push, then notify.

    Undo and redo are those of the open document; a document that was set aside gets its
    own stack back when it is reopened.

    Attributes
    ----------
    cursor : InputCursor
        The selection of the input tables, which undo and redo restore.
    """

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._stacks: dict[Document, DocumentStack] = {}
        self.cursor = InputCursor(self)
        self.set_document(document)

    @property
    def document(self) -> Document:
        """The open document."""
        return self._document

    def set_document(self, document: Document) -> None:
        """Switch to another document and its stack, a new one the first time."""
        self._document = document
        if document not in self._stacks:
            self._stacks[document] = DocumentStack(document, self.cursor, self)
        self.setActiveStack(self._stacks[document])
        self.cursor.move(None)

    def forget(self, document: Document) -> None:
        """Drop the edits of a document that is not open."""
        stack = self._stacks.pop(document)
        self.removeStack(stack)
        stack.deleteLater()

    def add_unsaved(self, document: Document, earlier: "Changes") -> None:
        """Add a document that was never saved, without opening it.

        Parameters
        ----------
        document : Document
            The document.
        earlier : Changes
            Its changes that cannot be undone.
        """
        stack = DocumentStack(document, self.cursor, self)
        stack.earlier = earlier
        self._stacks[document] = stack
        self.mark_unsaved(document)

    def mark_saved(self, document: Document) -> None:
        """Mark the current state of a document as saved."""
        self._stacks[document].setClean()

    def mark_unsaved(self, document: Document) -> None:
        """Mark no state of a document as saved."""
        self._stacks[document].resetClean()

    def is_saved(self, document: Document) -> bool:
        """Return whether a document is in its saved state."""
        return self._stacks[document].isClean()

    def close(self) -> None:
        """Drop all edits.

        Python's garbage collector may delete commands before the stacks that own them,
        which would delete them again: the interpreter would crash.
        """
        for stack in self._stacks.values():
            stack.blockSignals(True)  # no view must show a document without a stack
            stack.clear()

    def count(self) -> int:
        """Return the number of edits on the stack, undone ones included."""
        return self._stacks[self._document].count()

    @property
    def last(self) -> "LastEdit | None":
        """The last edit that is not undone; None if there is none."""
        stack = self._stacks[self._document]
        # Only commands of this class are pushed.
        command = stack.command(stack.index() - 1) if stack.index() else None
        return command.as_last() if isinstance(command, EditCommand) else None

    @property
    def wrote_cells(self) -> bool:
        """Whether an edit that is not undone wrote cells of a matrix."""
        stack = self._stacks[self._document]
        commands = map(stack.command, range(stack.index()))
        return any(isinstance(c, EditCommand) and c.writes_cells for c in commands)

    def changes(self, document: Document) -> "Changes":
        """Return the changes of a document since it was saved."""
        stack = self._stacks[document]
        index, clean = stack.index(), stack.cleanIndex()
        count = abs(index - clean) if clean >= 0 else index
        undone = index < clean
        command = stack.command(index if undone else index - 1)
        if not isinstance(command, EditCommand):
            return stack.earlier
        label = self.tr("Undo {label}") if undone else "{label}"
        return Changes(label.format(label=command.label), count, command.time)

    def only_grouped(self, document: Document) -> bool:
        """Return whether the changes of a document are groups of its tokens alone."""
        stack = self._stacks[document]
        index, clean = stack.index(), stack.cleanIndex()
        if clean < 0 and not stack.took_groups:
            return False
        ends = sorted((index, max(clean, 0)))
        commands = map(stack.command, range(*ends))
        return all(isinstance(c, EditCommand) and c.only_groups for c in commands)

    def hand_over(self, document: Document) -> None:
        """Count the groups of another document as a change of the open one."""
        stack = self._stacks[self._document]
        stack.earlier, stack.took_groups = self.changes(document), True
        stack.resetClean()

    def submit(
        self,
        edit: Edit,
        *,
        gesture: object | None = None,
        then: InputSelection | None = None,
    ) -> None:
        """Apply an edit so that it can be undone.

        Parameters
        ----------
        edit : SetCells or Replace
            The change.
        gesture : object, optional
            Identifies a user action such as a drag: successive edits of one gesture are
            one step of undo, or none if they cancel out.
        then : InputSelection, optional
            The selection afterwards; by default the current one.

        Raises
        ------
        EditError
            With the reason; document and stack are then unchanged.
        """
        self._push([edit], gesture, then)

    def submit_together(
        self, edits: Sequence[SetCells], *, gesture: object | None = None
    ) -> None:
        """Apply edits of different matrices as one step of undo.

        Parameters
        ----------
        edits : sequence of SetCells
            The changes, of which each has a matrix of its own.
        gesture : object, optional
            The same as of `submit`.

        Raises
        ------
        EditError
            With the reason; document and stack are then unchanged.
        """
        for edit in edits:
            self._document.check(edit)
        self._push(edits, gesture, None)

    def _push(
        self,
        edits: Sequence[Edit],
        gesture: object | None,
        then: InputSelection | None,
    ) -> None:
        stack, before = self._stacks[self._document], self.cursor.selection
        # Before the push: a redo that raised would still count as done on the stack.
        steps = [Step(edit, stack.apply(edit)) for edit in edits]
        after = before if then is None else then
        stack.select(then)
        stack.push(EditCommand(stack, steps, gesture, before, after))
