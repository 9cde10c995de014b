"""The selection that all views share."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Self

from PySide6.QtCore import QObject, Signal, Slot

from attnviewer.compute import NUMBERED, Axis
from attnviewer.document import Labels
from attnviewer.document.rearranging import destinations

Position = tuple[int, int]
"""Row and column of a cell, counted from zero."""

Fit = Callable[[str, Position | None], tuple[str, Position | None]]
"""Returns the existing step and cell nearest to those requested."""

Carry = Callable[[str, Position, str, int], tuple[int, Position]]
"""Returns the head and the cell of a step to show after those of another.

Called with the other step, its cell, the step and the chosen head.
"""


@dataclass(frozen=True, slots=True)
class Marked:
    """Whole rows and columns; in the steps of weights, queries and keys."""

    rows: frozenset[int] = frozenset()
    columns: frozenset[int] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.rows or self.columns)

    def within(self, shape: tuple[int, int]) -> Self:
        """Return the marks that lie within a shape."""
        n_rows, n_columns = shape
        return type(self)(
            frozenset(row for row in self.rows if row < n_rows),
            frozenset(column for column in self.columns if column < n_columns),
        )


@dataclass(frozen=True, slots=True)
class Moves:
    """The new places of rows and columns as tokens were added, removed or moved.

    Parameters
    ----------
    rows, columns : mapping of int to int, or None
        New indices by old ones, without those removed; None if nothing moved.
    """

    rows: Mapping[int, int] | None
    columns: Mapping[int, int] | None

    @classmethod
    def between(cls, before: Labels, after: Labels, axes: tuple[Axis, Axis]) -> Self:
        """Return where the rows and columns of a step went, by its axes."""
        rows, columns = (
            None if axis in NUMBERED else destinations(before.of(axis), after.of(axis))
            for axis in axes
        )
        return cls(rows, columns)

    def cell(self, cell: Position) -> Position:
        """Return where a cell is now; one that was removed keeps its indices."""
        row, column = cell
        return (
            row if self.rows is None else self.rows.get(row, row),
            column if self.columns is None else self.columns.get(column, column),
        )

    def marked(self, marked: Marked) -> Marked:
        """Return where marked rows and columns are now."""
        return Marked(
            _moved(marked.rows, self.rows), _moved(marked.columns, self.columns)
        )


def _moved(indices: frozenset[int], moves: Mapping[int, int] | None) -> frozenset[int]:
    if moves is None:
        return indices
    return frozenset(moves[index] for index in indices if index in moves)


class SelectionModel(QObject):
    """The chosen step, head and cell, and the cell under the pointer.

    The cell belongs to the chosen step. Views set it and watch it; none of them
    keeps a copy.
    """

    step_changed = Signal(str)
    head_changed = Signal(int)
    cell_changed = Signal(str, object)
    """Step and position; the position is None when no cell is selected."""
    hover_changed = Signal(str, object)
    """Step and position under the pointer; the position is None once it has left."""
    marked_changed = Signal()
    """The marked rows or columns have changed."""

    def __init__(
        self,
        fit: Fit | None = None,
        carry: Carry | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._fit = fit
        self._carry = carry
        self._step = "weights"
        self._head = 0
        self._cell: Position | None = None
        self._wanted: tuple[str, Position | None] = self._step, None
        self._hovered: tuple[str, Position | None] = (self._step, None)
        self._hovered_heads: tuple[int, ...] | None = None
        self._marked = Marked()

    @property
    def step(self) -> str:
        """The name of the chosen step."""
        return self._step

    @property
    def head(self) -> int:
        """The chosen head, counted from zero."""
        return self._head

    @property
    def cell(self) -> Position | None:
        """The selected cell of the chosen step."""
        return self._cell

    @property
    def hovered(self) -> tuple[str, Position | None]:
        """Step and position under the pointer; the position is None without one."""
        return self._hovered

    @property
    def hovered_heads(self) -> tuple[int, ...]:
        """The heads whose cell is under the pointer: several if combined.

        Empty if the cell is of a head outside the open document.
        """
        return (self._head,) if self._hovered_heads is None else self._hovered_heads

    @property
    def marked(self) -> Marked:
        """The marked rows and columns of the chosen step."""
        return self._marked

    def mark(self, marked: Marked) -> None:
        """Mark rows and columns of the chosen step, for instance to sum them."""
        if marked != self._marked:
            self._marked = marked
            self.marked_changed.emit()

    def choose_step(self, step: str) -> None:
        """Choose a step, and its cell that the selected one leads to.

        Through a step of another shape the way leads back to the same cell.
        """
        origin, cell = wanted = self._wanted
        if step != origin and cell is not None and self._carry is not None:
            head, cell = self._carry(origin, cell, step, self._head)
            if head != self._head:
                wanted = step, cell  # so that the way does not lead to this head again
                self.choose_head(head)
        self._choose(step, cell, wanted)

    def choose_head(self, head: int) -> None:
        """Show another head of all steps that have heads."""
        if head != self._head:
            self._head = head
            self.head_changed.emit(head)

    def choose_cell(self, step: str, cell: Position | None) -> None:
        """Select a cell, choosing its step first if needed."""
        self._choose(step, cell)

    @Slot(object)
    def choose_here(self, cell: Position | None) -> None:
        """Select a cell of the chosen step."""
        self._choose(self._step, cell)

    def follow(self, moves: Moves) -> None:
        """Keep the selection and the marks on their tokens after these have moved."""
        if self._cell is not None:
            self._choose(self._step, moves.cell(self._cell))
        self.mark(moves.marked(self._marked))

    def refit(self) -> None:
        """Fit the selection to what exists now."""
        fitted = self._step, self._cell
        if self._fit is not None:
            fitted = self._fit(*fitted)
        if fitted != (self._step, self._cell):
            self._choose(*fitted)

    def hover(
        self,
        step: str,
        cell: Position | None,
        heads: tuple[int, ...] | None = None,
    ) -> None:
        """Set the cell under the pointer, and its heads unless it is the chosen one."""
        self._hovered = step, cell
        self._hovered_heads = heads
        self.hover_changed.emit(step, cell)

    def _choose(
        self,
        step: str,
        cell: Position | None,
        wanted: tuple[str, Position | None] | None = None,
    ) -> None:
        if self._fit is not None:
            step, cell = self._fit(step, cell)
        self._wanted = wanted or (step, cell)
        if (step, cell) == (self._step, self._cell):
            return
        other_step = step != self._step
        self._step, self._cell = step, cell
        if other_step:
            self.step_changed.emit(step)
        self.cell_changed.emit(step, cell)
