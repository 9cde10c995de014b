"""The edits of one document as commands of Qt's undo stack."""

from dataclasses import dataclass, field
from datetime import UTC, datetime

from PySide6.QtCore import Slot
from PySide6.QtGui import QUndoCommand, QUndoGroup, QUndoStack

from attnviewer.document import Change, Document, Edit, Replace, SetCells
from attnviewer.document.joined import joined
from attnviewer.document.matrices import same_bits
from attnviewer.ui.state.cursor import InputCursor, InputSelection
from attnviewer.ui.text.mnemonics import action_text


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


class DocumentStack(QUndoStack):
    """The edits of one document.

    Listeners of the document are notified of an edit once it is on the stack, and of an
    undo once it is off: they may fail, ask for the last edit or make another one.

    Attributes
    ----------
    earlier : Changes
        Changes from before its first edit, which cannot be undone.
    took_groups : bool
        Whether these are groups of tokens alone, taken from another document.
    """

    def __init__(
        self, document: Document, cursor: InputCursor, parent: QUndoGroup
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._cursor = cursor
        self._pending: list[Change] = []
        self._selection: InputSelection | None = None
        self._emitting = False
        self.earlier = Changes("", 0, None)
        self.took_groups = False
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
class Step:
    """An edit and its inverse."""

    edit: Edit
    inverse: Edit


class EditCommand(QUndoCommand):
    def __init__(
        self,
        stack: DocumentStack,
        steps: list[Step],
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

    @property
    def only_groups(self) -> bool:
        return all(
            isinstance(step.edit, Replace) and step.edit.only_groups
            for step in self._steps
        )

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
        assert isinstance(other, EditCommand)
        if other._gesture is not self._gesture:
            return False
        for step in other._steps:
            self._add(step)
        self._after = other._after
        self.time = other.time
        self.setText(other.text())
        self.setObsolete(not self._steps)
        return True

    def _add(self, step: Step) -> None:
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

    def _step_of_cells(self, edit: Edit) -> Step | None:
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


def _specs_alone(*steps: Step) -> bool:
    return all(
        isinstance(edit, Replace)
        and edit.spec is not None
        and not edit.matrices
        and (edit.tokens, edit.context_tokens) == (None, None)
        and (edit.recipes, edit.past_variants, edit.title, edit.notes) == (None,) * 4
        and (edit.training, edit.groups, edit.context_groups) == (None,) * 3
        for edit in (step.edit for step in steps)
    )


def _joined(last: Step, step: Step) -> Step | None:
    """Merge two steps into one, if possible."""
    if not (isinstance(last.edit, Replace) and isinstance(step.edit, Replace)):
        return None
    assert isinstance(last.inverse, Replace)
    assert isinstance(step.inverse, Replace)
    edit = joined(last.edit, step.edit)
    inverse = joined(step.inverse, last.inverse)
    return Step(edit, inverse) if edit and inverse else None


def _same_values(one: Edit, other: Edit) -> bool:
    assert isinstance(one, SetCells)
    assert isinstance(other, SetCells)
    # Only undo restores a dropped record of how the cells were drawn.
    if one.recipes is not None or one.training != other.training:
        return False
    return same_bits(one.values, other.values)
