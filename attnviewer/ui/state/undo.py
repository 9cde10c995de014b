"""Undo: edits and their inverses on Qt's stacks."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QUndoCommand, QUndoGroup, QUndoStack

from attnviewer.document import Change, Document, Edit, Replace, SetCells
from attnviewer.document.joined import joined
from attnviewer.document.matrices import same_bits
from attnviewer.ui.state.cursor import InputCursor, InputSelection
from attnviewer.ui.text.mnemonics import action_text


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
        self._stacks: dict[Document, _DocumentStack] = {}
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
            self._stacks[document] = _DocumentStack(document, self.cursor, self)
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
        stack = _DocumentStack(document, self.cursor, self)
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
        return command.as_last() if isinstance(command, _EditCommand) else None

    @property
    def wrote_cells(self) -> bool:
        """Whether an edit that is not undone wrote cells of a matrix."""
        stack = self._stacks[self._document]
        commands = map(stack.command, range(stack.index()))
        return any(isinstance(c, _EditCommand) and c.writes_cells for c in commands)

    def changes(self, document: Document) -> "Changes":
        """Return the changes of a document since it was saved."""
        stack = self._stacks[document]
        index, clean = stack.index(), stack.cleanIndex()
        count = abs(index - clean) if clean >= 0 else index
        undone = index < clean
        command = stack.command(index if undone else index - 1)
        if not isinstance(command, _EditCommand):
            return stack.earlier
        label = self.tr("Undo {label}") if undone else "{label}"
        return Changes(label.format(label=command.label), count, command.time)

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
        steps = [_Step(edit, stack.apply(edit)) for edit in edits]
        after = before if then is None else then
        stack.select(then)
        stack.push(_EditCommand(stack, steps, gesture, before, after))


@dataclass(frozen=True, slots=True)
class LastEdit:
    """One step of undo.

    Parameters
    ----------
    label : str
        Its text in the undo list.
    command : object
        Identifies the state before the step.
    inverses : tuple of SetCells or Replace
        The edits that restore that state, in order of application.
    """

    label: str
    command: object
    inverses: tuple[Edit, ...] = field(compare=False)


@dataclass(frozen=True, slots=True)
class Changes:
    """The changes of a document since it was saved or opened.

    Parameters
    ----------
    label : str
        The name of the last edit; "" if none can be undone.
    count : int
        The number of edits.
    time : datetime or None
        The time of the last one.
    """

    label: str
    count: int
    time: datetime | None


class _DocumentStack(QUndoStack):
    """The edits of one document.

    Listeners of the document are notified of an edit once it is on the stack, and of an
    undo once it is off: they may fail, ask for the last edit or make another one.

    Attributes
    ----------
    earlier : Changes
        Changes from before its first edit, which cannot be undone.
    """

    def __init__(
        self, document: Document, cursor: InputCursor, parent: EditStack
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._cursor = cursor
        self._pending: list[Change] = []
        self._selection: InputSelection | None = None
        self._emitting = False
        self.earlier = Changes("", 0, None)
        # Qt emits it after each push, and after all commands of an undo or a redo.
        # Connected first, as other listeners of the stack show the document.
        self.indexChanged.connect(self._emit_pending)

    def apply(self, edit: Edit) -> Edit:
        """Change the document, and return the inverse edit."""
        inverse, change = self._document.apply_quietly(edit)
        self._pending.append(change)
        return inverse

    def select(self, selection: InputSelection | None) -> None:
        """Select a place once the tables know of the edit; None keeps the selection."""
        self._selection = selection or self._selection

    @Slot()
    def _emit_pending(self) -> None:
        if self._emitting:  # notified next, after the edit in progress
            return
        self._emitting = True
        try:
            while self._pending:
                self._document.changed.emit(self._pending.pop(0))
        finally:
            self._emitting = False
            selection, self._selection = self._selection, None
        self._cursor.go(selection)


@dataclass(slots=True, eq=False)
class _Step:
    """An edit and its inverse."""

    edit: Edit
    inverse: Edit


class _EditCommand(QUndoCommand):
    def __init__(
        self,
        stack: _DocumentStack,
        steps: list[_Step],
        gesture: object | None,
        before: InputSelection | None,
        after: InputSelection | None,
    ) -> None:
        super().__init__(action_text(steps[-1].edit.label))
        self._stack = stack
        self._steps = steps
        self._done = True
        self._gesture = gesture
        self._before = before
        self._after = after
        self.time = datetime.now(UTC)

    @property
    def label(self) -> str:
        return self._steps[-1].edit.label

    @property
    def writes_cells(self) -> bool:
        return any(isinstance(step.edit, SetCells) for step in self._steps)

    def as_last(self) -> LastEdit:
        inverses = tuple(step.inverse for step in reversed(self._steps))
        return LastEdit(self.label, self, inverses)

    def redo(self) -> None:
        if self._done:  # the push alone
            return
        for step in self._steps:
            step.inverse = self._stack.apply(step.edit)
        self._done = True
        self._stack.select(self._after)

    def undo(self) -> None:
        for step in reversed(self._steps):
            self._stack.apply(step.inverse)
        self._done = False
        self._stack.select(self._before)

    def id(self) -> int:
        # Qt tries to merge commands with the same id.
        return -1 if self._gesture is None else 1

    def mergeWith(self, other: QUndoCommand) -> bool:
        assert isinstance(other, _EditCommand)
        if other._gesture is not self._gesture:
            return False
        for step in other._steps:
            self._add(step)
        self._after = other._after
        self.time = other.time
        self.setText(other.text())
        self.setObsolete(not self._steps)
        return True

    def _add(self, step: _Step) -> None:
        last = self._steps[-1] if self._steps else None
        same = self._step_of_cells(step.edit)
        if same is not None:
            same.edit = step.edit
            if _same_values(same.inverse, step.edit):
                self._steps.remove(same)
        elif last is not None and _specs_alone(last, step):
            last.edit = step.edit
            assert isinstance(last.inverse, Replace)
            assert isinstance(step.edit, Replace)
            if last.inverse.spec == step.edit.spec:
                self._steps.pop()
        elif last is not None and (both := _joined(last, step)) is not None:
            self._steps[-1] = both
        else:
            self._steps.append(step)

    def _step_of_cells(self, edit: Edit) -> _Step | None:
        """Return the step that wrote the same cells, if it might as well be the last.

        So it might if only cells of other matrices were written since.
        """
        for step in reversed(self._steps):
            if _same_cells(step.edit, edit):
                return step
            if not _of_others(step.edit, edit):
                return None
        return None


def _same_cells(one: Edit, other: Edit) -> bool:
    return (
        isinstance(one, SetCells)
        and isinstance(other, SetCells)
        and (one.matrix, one.region) == (other.matrix, other.region)
        and one.recipes is other.recipes is None
    )


def _of_others(one: Edit, other: Edit) -> bool:
    return (
        isinstance(one, SetCells)
        and isinstance(other, SetCells)
        and one.matrix != other.matrix
        and one.recipes is None
    )


def _specs_alone(*steps: _Step) -> bool:
    return all(
        isinstance(edit, Replace)
        and edit.spec is not None
        and not edit.matrices
        and (edit.tokens, edit.context_tokens) == (None, None)
        and (edit.recipes, edit.past_variants, edit.title, edit.notes) == (None,) * 4
        and (edit.training, edit.groups, edit.context_groups) == (None,) * 3
        for edit in (step.edit for step in steps)
    )


def _joined(last: _Step, step: _Step) -> _Step | None:
    """Merge two steps into one, if possible."""
    if not (isinstance(last.edit, Replace) and isinstance(step.edit, Replace)):
        return None
    assert isinstance(last.inverse, Replace)
    assert isinstance(step.inverse, Replace)
    edit = joined(last.edit, step.edit)
    inverse = joined(step.inverse, last.inverse)
    return _Step(edit, inverse) if edit and inverse else None


def _same_values(one: Edit, other: Edit) -> bool:
    assert isinstance(one, SetCells)
    assert isinstance(other, SetCells)
    # Only undo restores a dropped record of how the cells were drawn.
    if one.recipes is not None or one.training != other.training:
        return False
    return same_bits(one.values, other.values)
